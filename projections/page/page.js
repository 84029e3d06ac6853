"use strict";
// The page: shows one moment of one line as one seat knew it, and goes on from there by keys, buttons, slider and story.

const SVG = "http://www.w3.org/2000/svg";
const KINDS = /** @type {const} */ ({ d: "decision", e: "level", r: "round", t: "turn", f: "fight", l: "loss", v: "reveal",
  k: "take-back", m: "note" });
/** @type {Record<string, string>} */
const PLURALS = { decision: "Decisions", level: "Levels", round: "Rounds", turn: "Turns", fight: "Fights", loss: "Losses",
  reveal: "Reveals", "take-back": "Take-backs", note: "Notes" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const night = matchMedia("(prefers-color-scheme: dark)");

/** The element with an id. @template {Element} [T=HTMLElement] @param {string} id @returns {T} */
const $ = (id) => /** @type {T} */ (/** @type {unknown} */ (document.getElementById(id)));

/** A new element. @param {string} name @param {string} [cls] @param {string} [text] */
function make(name, cls, text) {
  const element = document.createElement(name);
  if (cls) element.className = cls;
  if (text) element.textContent = text;
  return element;
}

/** A drawing that changes by what is new and what is gone; a thing that turns up elsewhere moves there. */
class Canvas {
  /** @param {SVGSVGElement} svg @param {string[]} parts */
  constructor(svg, parts) {
    this.svg = svg;
    this.parts = parts;
    /** @type {Map<string, SVGGraphicsElement>} */
    this.shown = new Map();
  }

  /** @param {Picture} picture @param {number} [millis] how long things take to move; 0: they are there at once */
  show({ box, parts }, millis = 0) {
    this.svg.toggleAttribute("hidden", !parts.length);
    if (!parts.length) return;
    this.svg.setAttribute("viewBox", box);
    const [, , wide, tall] = box.split(" ");
    this.svg.setAttribute("width", wide);
    this.svg.setAttribute("height", tall);
    /** @type {Map<string, SVGGraphicsElement>} */
    const next = new Map();
    /** @type {Map<string, DOMRect | null>} */
    const gone = new Map();
    /** @type {SVGGraphicsElement[]} */
    const fresh = [];
    for (const part of parts) {
      let key = `${part}`;
      while (next.has(key)) key += "+";
      next.set(key, this.shown.get(key) ?? this.made(part, fresh));
    }
    for (const [key, element] of this.shown) {
      if (next.has(key)) continue;
      const name = millis ? named(element) : "";
      if (name) gone.set(name, gone.has(name) ? null : element.getBBox());
      element.remove();
    }
    let cursor = this.svg.firstChild;
    for (const element of next.values()) {
      if (element === cursor) cursor = cursor.nextSibling;
      else this.svg.insertBefore(element, cursor);
    }
    this.shown = next;
    if (millis && fresh.length < 80) for (const element of fresh) arrive(element, gone, millis);
  }

  /** @param {number} part @param {SVGGraphicsElement[]} fresh */
  made(part, fresh) {
    const holder = document.createElementNS(SVG, "g");
    holder.innerHTML = this.parts[part];
    const element = /** @type {SVGGraphicsElement} */ (holder.firstElementChild);
    fresh.push(element);
    return element;
  }
}

/** The name of a piece or of a group of them. @param {Element} element */
const named = (element) => element.matches(".wt-piece,:has(.wt-piece)") ? element.querySelector("title")?.textContent || "" : "";

/** @param {SVGGraphicsElement} element @param {Map<string, DOMRect | null>} gone @param {number} millis */
function arrive(element, gone, millis) {
  const name = named(element);
  if (!name) return;
  const from = gone.get(name);
  const to = element.getBBox();
  const shift = from && `translate(${from.x + from.width / 2 - to.x - to.width / 2}px,${from.y + from.height / 2 - to.y - to.height / 2}px)`;
  element.animate(shift ? [{ transform: shift }, { transform: "none" }] : [{ opacity: 0 }, { opacity: 1 }],
    { duration: millis, easing: "ease-out" });
}

/** The page of one game. */
class Page {
  /** @param {Content} content */
  constructor(content) {
    this.content = content;
    this.board = new Canvas($("board"), content.parts);
    this.tracks = new Canvas($("tracks"), content.parts);
    this.legend = new Canvas($("legend"), content.parts);
    /** @type {Map<View, Boards>} */
    this.boards = new Map();
    this.view = content.views[0];
    this.line = content.lines[0];
    this.course = new Course(this.view, this.line);
    this.moment = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Worth | null} */
    this.worth = null;
    this.panels = "";
    /** @type {HTMLElement[]} */
    this.rows = [];
    /** @type {HTMLInputElement} */
    this.slider = $("slider");
    /** @type {HTMLSelectElement} */
    this.seats = $("seat");
    /** @type {HTMLSelectElement} */
    this.speeds = $("speed");
    /** @type {HTMLSelectElement} */
    this.jumps = $("jump");
    this.front();
    this.listen();
    this.follow(this.hashed() ?? content.start);
    document.body.classList.remove("waiting");
  }

  // What stands there from the start

  front() {
    const { content } = this;
    $("title").textContent = content.title;
    const holders = content.seats.map(([, name, holder]) => `${name}: ${holder}`);
    const known = content.seen_as && [`Only what ${content.seen_as} knew is in this file.`];
    $("about").append(...[content.about, ...holders, content.ending, ...known].map((text) => make("span", "", text)));
    $("seat-box").hidden = content.views.length < 2;
    $("seat").append(...content.views.map((view, number) => new Option(view.name, `${number}`)));
    $("lines-open").hidden = content.lines.length < 2;
    $("lines-count").textContent = `${content.lines.length}`;
    $("check-open").hidden = !content.log;
    $("check-open").textContent = content.over ? "Check the dice" : "Check the chain";
    this.paint(night.matches);
    const keys = [["→ ←", "the next and the previous moment of the story"], ["Home End", "the start and the end"],
      ["Space", "play and pause"], ["+ −", "faster, slower"],
      ...Object.entries(KINDS).map(([key, kind]) => [`${key} ${key.toUpperCase()}`, `the next ${kind}, the one before`]),
      ["s", "choose whose knowledge is shown"], ["b", "the lines of the game"], ["a", "hide or show what comes"],
      ["z", "enlarge the board"], ["c", "dark or light"], ["?", "these keys"]];
    $("keys-list").append(...keys.map(([key, does]) => {
      const row = make("tr");
      const head = make("th");
      head.setAttribute("scope", "row");
      head.append(...key.split(" ").flatMap((one, number) => [number ? " " : "", make("kbd", "", one)]));
      row.append(head, make("td", "", does));
      return row;
    }));
  }

  /** @param {boolean} dark */
  paint(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    $("theme").setAttribute("aria-pressed", `${dark}`);
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ does) => $(id).addEventListener("click", does);
    on("first", () => this.go(0));
    on("back", () => this.go(this.moment - 1));
    on("forward", () => this.go(this.moment + 1));
    on("last", () => this.go(Infinity));
    on("play", () => this.play());
    on("jump-on", () => this.jump(this.jumps.value, true));
    on("jump-back", () => this.jump(this.jumps.value, false));
    on("large", () => this.toggle("large", $("stage")));
    on("cover", () => this.toggle("cover", document.body, "covered"));
    on("theme", () => this.paint(document.documentElement.dataset.theme !== "dark"));
    on("keys-open", () => this.open("keys"));
    on("lines-open", () => this.lines());
    on("check-open", () => this.check());
    on("back-to-game", () => this.switch(this.content.lines[0]));
    addEventListener("resize", () => drawTime(this.course, $("bands"), $("marks")));
    night.addEventListener("change", () => this.paint(night.matches));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.seats.addEventListener("change", () => this.see(this.content.views[Number(this.seats.value)]));
    for (const id of ["bands", "marks"]) {
      $(id).addEventListener("click", (event) => {
        const at = /** @type {HTMLElement} */ (event.target).dataset.moment;
        if (at) this.go(Number(at));
      });
    }
    $("curve").addEventListener("click", (event) => {
      const box = $("curve").getBoundingClientRect();
      this.go(Math.round(((event.clientX - box.left) / box.width) * (this.course.moments.length - 1)));
    });
    $("story").addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const to = target.closest("[data-to]");
      const link = target.closest("a");
      if (to) this.reach(Number(/** @type {HTMLElement} */ (to).dataset.to));
      else if (link) this.go(this.rows.indexOf(/** @type {HTMLElement} */ (link.parentElement?.closest("li"))));
      if (to || link) event.preventDefault();
    });
    addEventListener("hashchange", () => {
      const at = this.hashed();
      if (at !== null) this.reach(at);
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // Where it stands

  /** The position that the address of the page names, as in `#@57`. */
  hashed() {
    const found = /^#@(\d+)$/.exec(decodeURIComponent(location.hash));
    return found ? Number(found[1]) : null;
  }

  /** Goes to a position, on whatever line it is. @param {number} at */
  reach(at) {
    const { lines } = this.content;
    if (!this.course.holds(at)) {
      this.line = lines.find((line) => holds(line, at)) ?? this.line;
    }
    this.follow(at);
  }

  /** Shows the line and the seat anew, at a position. @param {number} at */
  follow(at) {
    this.course = new Course(this.view, this.line);
    const { course, content } = this;
    if (!this.boards.has(this.view)) this.boards.set(this.view, new Boards(this.view, content.texts));
    drawTime(course, $("bands"), $("marks"));
    const curve = this.view === content.views[0] ? content.curve : null;
    this.worth = curve && new Worth(curve, course);
    $("curve-box").hidden = !this.worth;
    this.worth?.draw($("curve"));
    this.slider.max = `${course.moments.length - 1}`;
    /** @type {string[]} */
    const kinds = Object.values(KINDS).filter((kind) => course.targets(kind).length);
    $("key").replaceChildren(...["reveal", "take-back", "note"].filter((one) => kinds.includes(one)).map((one) => {
      const sign = make("span", one, { reveal: "something revealed", "take-back": "taken back to here", note: "note" }[one]);
      sign.prepend(make("i"));
      return sign;
    }));
    const kind = this.jumps.value;
    this.jumps.replaceChildren(...kinds.map((one) => new Option(PLURALS[one], one)));
    this.jumps.value = kinds.includes(kind) ? kind : kinds.includes("round") ? "round" : kinds[0] ?? "";
    $("aside").hidden = this.line === content.lines[0];
    $("aside").firstElementChild?.replaceChildren(`This line was left: ${this.line.left || "it is not the one the game is on"}.`);
    this.tell();
    this.moment = -1;
    this.go(course.moment(at));
  }

  /** Writes the story of the line. */
  tell() {
    const headings = ["level", "round", "turn"].filter((kind) => this.view.beats.some((beat) => beat[2] === kind));
    this.rows = this.course.moments.map(({ beat }) => this.row(beat, headings));
    $("story").replaceChildren(...this.rows);
  }

  /** @param {Beat} beat @param {string[]} headings */
  row([at, text, heading, acts, notes, returns], headings) {
    const row = make("li", heading || (acts ? "acts" : "more"));
    const link = /** @type {HTMLAnchorElement} */ (make("a"));
    link.href = `#@${at}`;
    link.tabIndex = -1;
    const number = make("span", "at", `${at}`);
    number.setAttribute("aria-hidden", "true");
    link.append(number, make("span", "", text || "Here:"));
    if (heading) {
      const title = make(`h${3 + headings.indexOf(heading)}`);
      title.append(link);
      row.append(title);
    } else row.append(link);
    for (const note of notes) row.append(make("p", "note", note));
    for (const words of returns) {
      const said = make("p", "return", words);
      const from = /@(\d+)/.exec(words);
      if (from && !this.course.holds(Number(from[1])) && this.content.lines.some((line) => holds(line, Number(from[1])))) {
        const button = make("button", "", "Watch that line");
        button.dataset.to = from[1];
        said.append(button);
      }
      row.append(said);
    }
    return row;
  }

  /** Shows a moment of the line. @param {number} wanted */
  go(wanted) {
    const { course } = this;
    const last = course.moments.length - 1;
    const moment = Math.max(0, Math.min(wanted, last));
    if (moment === this.moment) return;
    const near = this.moment >= 0 && Math.abs(moment - this.moment) === 1 && !calm.matches;
    const old = this.rows[this.moment];
    for (let i = Math.max(0, Math.min(moment, this.moment)); i < Math.max(moment, this.moment); i++) {
      this.rows[i].classList.toggle("past", i < moment);
    }
    this.moment = moment;
    const { beat, end } = course.moments[moment];
    const shown = this.boards.get(this.view)?.at.get(end);
    if (!shown) return;
    this.board.show(shown.board, near ? Math.min(350, 500 / this.speed) : 0);
    this.tracks.show(shown.tracks);
    this.legend.show(shown.legend);
    $("legend-box").hidden = !shown.legend.parts.length;
    $("board-words").textContent = [shown.heading, shown.words].filter(Boolean).join(" ");
    const panels = `${shown.panels}`;
    if (panels !== this.panels) $("panels").innerHTML = shown.panels.map((part) => this.content.parts[part]).join("");
    this.panels = panels;
    $("where").textContent = [...course.parts(moment), shown.due].filter(Boolean).join(" · ");
    const decided = course.decided[moment];
    $("count").replaceChildren(`${moment + 1} of ${last + 1}`, make("span", "", ` · @${end} · ${decided} decision${decided === 1 ? "" : "s"}`));
    const said = [beat[1], ...beat[4], ...beat[5]].filter(Boolean).join(" ");
    $("caption").textContent = said;
    const { slider } = this;
    slider.value = `${moment}`;
    slider.setAttribute("aria-valuetext", `${moment + 1} of ${last + 1}: ${said}`);
    slider.style.setProperty("--done", `${along(course, moment)}%`);
    old?.classList.remove("now");
    old?.querySelector("a")?.removeAttribute("aria-current");
    old?.querySelector("a")?.setAttribute("tabindex", "-1");
    const row = this.rows[moment];
    const link = row.querySelector("a");
    row.classList.add("now");
    link?.setAttribute("aria-current", "step");
    link?.setAttribute("tabindex", "0");
    if ($("story").contains(document.activeElement) && document.activeElement?.tagName === "A") link?.focus({ preventScroll: true });
    const story = $("story");
    const gentle = near && this.speed <= 4;
    story.scrollTo({ top: row.offsetTop - (story.clientHeight - row.clientHeight) / 2.6, behavior: gentle ? "smooth" : "instant" });
    this.value(moment);
    if (!this.timer || this.speed <= 1) $("now").textContent = said;
    history.replaceState(null, "", `#@${beat[0]}`);
    if (moment === last && this.timer) this.play();
  }

  /** Says what the game was worth. @param {number} moment */
  value(moment) {
    if (!this.worth) return;
    const shares = this.worth.at(moment);
    const x = 10 * along(this.course, moment);
    $("curve").querySelector(".here")?.setAttribute("d", `M${x} 0V100`);
    const names = new Map(this.content.seats.map(([id, name]) => [id, name]));
    const words = $("curve-words");
    words.replaceChildren("Chances to win:");
    for (const [number, seat] of this.worth.curve.seats.entries()) {
      const [share, low, high] = shares?.[number] ?? [0, 0, 0];
      const percent = (/** @type {number} */ n) => Math.round(n / 10);
      const label = make("span");
      const within = low === high ? "" : ` (${percent(low)}–${percent(high)})`;
      label.append(make("b", ["first", "other"][number], names.get(seat) ?? seat), shares ? ` ${percent(share)} %${within}` : " not known yet");
      words.append(" ", label);
    }
    const { luck, choices } = this.worth.curve;
    const { beat, end } = this.course.moments[moment];
    for (const [at, text] of [...luck.map(([at, said]) => [at, `Luck: ${said}`]), ...choices.map(([at, said]) => [at, `Costly: ${said}`])]) {
      if (beat[0] <= Number(at) && Number(at) <= end) words.append(" ", make("em", "", `${text}`));
    }
  }

  // Going on

  /** @returns {number} */
  get speed() {
    return Number(this.speeds.value);
  }

  play() {
    clearTimeout(this.timer);
    const going = !this.timer && this.course.moments.length > 1;
    this.timer = undefined;
    document.body.classList.toggle("playing", going);
    $("play").setAttribute("aria-label", going ? "Pause" : "Play");
    if (!going) return;
    const tick = () => {
      this.timer = setTimeout(tick, 1000 / this.speed);
      this.go(this.moment + 1);
    };
    if (this.moment === this.course.moments.length - 1) this.go(0);
    this.timer = setTimeout(tick, 1000 / this.speed);
  }

  /** @param {string} kind @param {boolean} onwards */
  jump(kind, onwards) {
    const found = this.course.targets(kind);
    const to = onwards ? found.find((one) => one > this.moment) : found.filter((one) => one < this.moment).pop();
    if (to === undefined) $("now").textContent = `No ${kind} ${onwards ? "after" : "before"} this.`;
    else this.go(to);
  }

  /** @param {View} view */
  see(view) {
    const { beat } = this.course.moments[this.moment];
    this.view = view;
    this.follow(beat[0]);
  }

  /** Watches another line, from where it parts from this one. @param {Line} line */
  switch(line) {
    const { beat } = this.course.moments[this.moment];
    this.line = line;
    let at = beat[0];
    while (at > 0 && !holds(line, at)) at--;
    this.follow(at);
  }

  /** @param {string} id @param {Element} element @param {string} [cls] */
  toggle(id, element, cls = id) {
    $(id).setAttribute("aria-pressed", `${element.classList.toggle(cls)}`);
  }

  /** @param {string} key @param {boolean} shifted @returns {boolean} whether the key does anything */
  press(key, shifted) {
    const faster = (/** @type {number} */ by) => {
      const { speeds } = this;
      speeds.selectedIndex = Math.max(0, Math.min(speeds.length - 1, speeds.selectedIndex + by));
    };
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => this.go(this.moment + 1), ArrowLeft: () => this.go(this.moment - 1), Home: () => this.go(0),
      End: () => this.go(Infinity), " ": () => this.play(), "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
      "?": () => this.open("keys"),
    };
    /** @type {Record<string, () => void>} */
    const letters = { s: () => this.seats.focus(), b: () => this.lines(), a: () => $("cover").click(), z: () => $("large").click(),
      c: () => $("theme").click(), n: () => this.go(this.moment + 1), p: () => this.go(this.moment - 1) };
    if (key in keys) keys[key]();
    else if (!(/** @type {HTMLInputElement} */ ($("letters")).checked)) return false;
    else if (key.toLowerCase() in KINDS) this.jump(KINDS[/** @type {keyof typeof KINDS} */ (key.toLowerCase())], !shifted);
    else if (key in letters) letters[key]();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && this.timer) this.play();
    if (target.matches("select") || (event.key === " " && target.matches("button,summary,input,a"))) return;
    const inStory = $("story").contains(target);
    const key = inStory && event.key === "ArrowDown" ? "ArrowRight" : inStory && event.key === "ArrowUp" ? "ArrowLeft" : event.key;
    if (this.press(key, event.shiftKey)) event.preventDefault();
  }

  // What opens

  /** @param {string} id */
  open(id) {
    if (this.timer) this.play();
    /** @type {HTMLDialogElement} */ ($(id)).showModal();
  }

  lines() {
    const { content } = this;
    if (content.lines.length < 2) return;
    $("lines-list").replaceChildren(...content.lines.map((line, number) => {
      const item = make("li");
      item.style.paddingLeft = `${1.5 * line.depth}rem`;
      const many = `${line.own} decision${line.own === 1 ? "" : "s"}`;
      const button = make("button", "", line.depth ? `Leaves at @${line.parts}: ${many} more` : `The game, to @${line.tip}: ${many}`);
      const last = this.view.lasts[number];
      const more = [line.left, last && `last ${last}`, line.outcome && `ended: ${line.outcome}`].filter(Boolean).join("; ");
      button.append(make("small", "", more));
      button.setAttribute("aria-current", `${line === this.line}`);
      button.addEventListener("click", () => {
        /** @type {HTMLDialogElement} */ ($("lines")).close();
        this.switch(line);
      });
      item.append(button);
      return item;
    }));
    this.open("lines");
  }

  async check() {
    const { log } = this.content;
    if (!log) return;
    this.open("check");
    const bar = document.createElement("progress");
    bar.max = log.events.length;
    bar.setAttribute("aria-label", "Events checked");
    $("check-found").replaceChildren(bar);
    if (!globalThis.crypto?.subtle) {
      $("check-found").replaceChildren("This browser hashes only for pages from a file or over https: save the page, and open the file.");
      return;
    }
    const found = await checkLog(log, (done) => { bar.value = done; });
    const list = make("ul");
    for (const [cls, text, at] of verdict(found)) {
      const item = make("li", cls, text);
      if (at !== undefined) {
        const button = make("button", "", `Go to @${at}`);
        button.addEventListener("click", () => {
          /** @type {HTMLDialogElement} */ ($("check")).close();
          this.reach(at);
        });
        item.append(" ", button);
      }
      list.append(item);
    }
    $("check-found").replaceChildren(list);
  }
}

/** What was found, in sentences: each with its class, and where it is. @param {Findings} found @returns {[string, string, number?][]} */
function verdict(found) {
  /** @type {[string, string, number?][]} */
  const said = [];
  const most = 8;
  if (!found.chain.length) {
    said.push(["good", `The chain is whole: ${found.events} events in ${found.batches} batches, each sealed by the one after it. Its head: ${found.head.slice(0, 16)}…`]);
  }
  for (const { at, text } of found.chain.slice(0, most)) said.push(["bad", `The chain is broken: the batch at @${at} ${text}.`, at]);
  const all = found.dice + found.cards + found.counters;
  const proven = all - found.open - found.byHand;
  if (!found.secrets) {
    if (all > found.byHand) said.push(["open", "The secret of chance is not in the log: dice and cards can be checked when the game is over."]);
  } else if (!found.chance.length) {
    const sealed = found.sealed ? `; ${found.sealed} of these were sealed, and the seals fit` : "";
    said.push(["good", "The secret that the log reveals is the one that was committed to."]);
    if (proven) said.push(["good", `All ${proven} dice, cards and counters follow from it${sealed}.`]);
  }
  for (const { at, text } of found.chance.slice(0, most)) said.push(["bad", `Chance is not as it must be: @${at} ${text}.`, at]);
  const more = Math.max(0, found.chain.length - most) + Math.max(0, found.chance.length - most);
  if (more) said.push(["bad", `And ${more} more.`]);
  if (found.secrets && found.open) said.push(["open", `${found.open} outcomes cannot be computed from this log.`]);
  if (found.byHand) said.push(["open", `${found.byHand} outcomes were entered by hand: real dice prove nothing.`]);
  return said;
}

unpack($("tape").textContent ?? "").then((content) => new Page(content)).catch((error) => {
  $("trouble").hidden = false;
  $("trouble").textContent = typeof DecompressionStream === "undefined"
    ? "This browser is too old for this page: it needs one of 2023 or later."
    : `The game in this file cannot be read: it is damaged. (${error})`;
  throw error;
});
