"use strict";
// The page: shows one moment of one line as one seat knew it, and goes on from there by keys, buttons, slider and story.

const KINDS = /** @type {const} */ ({ d: "decision", e: "level", r: "round", t: "turn", f: "fight", l: "loss", v: "reveal",
  k: "take-back", m: "note" });
/** @type {Record<string, string>} */
const PLURALS = { decision: "Decisions", level: "Levels", round: "Rounds", turn: "Turns", fight: "Fights", loss: "Losses",
  reveal: "Reveals", "take-back": "Take-backs", note: "Notes" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const night = matchMedia("(prefers-color-scheme: dark)");

/** All that a moment says. @param {Beat} beat */
const told = ([, text, , , notes, returns]) => [text, ...notes, ...returns].filter(Boolean).join(" ");

/** A row of the list of keys. @param {string} key @param {string} does */
function keyRow(key, does) {
  const row = make("tr");
  const head = make("th");
  head.setAttribute("scope", "row");
  head.append(...key.split(" ").flatMap((one, number) => [number ? " " : "", make("kbd", "", one)]));
  row.append(head, make("td", "", does));
  return row;
}

/** The page of one game: shows a tape, and goes on when it grows. */
class Page {
  /** @param {Tape} tape @param {boolean} [live] whether it goes on with a game on a server */
  constructor(tape, live = false) {
    this.tape = tape;
    this.live = live;
    /** What is done when another moment is shown. */
    this.shown = () => {};
    this.board = new Canvas($("board"), tape.parts.all);
    this.tracks = new Canvas($("tracks"), tape.parts.all);
    this.legend = new Canvas($("legend"), tape.parts.all);
    this.story = new Story($("story"));
    this.view = tape.views[0];
    this.line = tape.lines[0];
    this.course = new Course(this.view, this.line);
    this.moment = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Worth | null} */
    this.worth = null;
    this.panels = "";
    /** How many moments came at the end of the game while the reader was elsewhere. */
    this.unread = 0;
    /** The last position of the log that was counted. */
    this.seenTo = tape.upto;
    /** @type {HTMLInputElement} */
    this.slider = $("slider");
    /** @type {HTMLSelectElement} */
    this.seats = $("seat");
    /** @type {HTMLSelectElement} */
    this.speeds = $("speed");
    /** @type {HTMLSelectElement} */
    this.jumps = $("jump");
    this.front();
    this.keys();
    this.listen();
    this.follow(this.hashed() ?? tape.start);
    document.body.classList.remove("waiting");
  }

  // What stands there from the start

  front() {
    const { tape } = this;
    $("title").textContent = tape.title;
    const about = tape.title.startsWith(tape.about) ? [] : [tape.about];
    const holders = tape.seats.map(([, name, holder]) => `${name}: ${holder}`);
    const known = tape.seenAs && [`Only what ${tape.seenAs.replace(/^The /, "the ")} ${this.live ? "may know is on this page" : "knew is in this file"}.`];
    $("about").replaceChildren(...[...about, ...holders, ...known].map((text) => make("span", "", text)), make("span", "ending"));
    $("seat-box").hidden = tape.views.length < 2;
    $("seat").replaceChildren(...tape.views.map((view, number) => new Option(view.name, `${number}`)));
    this.seats.value = `${tape.views.indexOf(this.view)}`;
    this.state();
  }

  /** Lists the keys. */
  keys() {
    this.paint(night.matches);
    const keys = [["→ ←", "the next and the previous moment of the story"], ["Home End", "the start and the end"],
      ["Space", "play and pause"], ["+ −", "faster, slower"],
      ...Object.entries(KINDS).map(([key, kind]) => [`${key} ${key.toUpperCase()}`, `the next ${kind}, the one before`]),
      ["s", "choose whose knowledge is shown"], ["b", "the lines of the game"], ["a", "hide or show what comes"],
      ["z", "enlarge the board"], ["c", "dark or light"], ["?", "these keys"]];
    $("keys-list").append(...keys.map(([key, does]) => keyRow(key, does)));
  }

  /** Says how the game stands: what changes where it goes on. */
  state() {
    const { tape } = this;
    $("about").querySelector(".ending")?.replaceChildren(tape.ending);
    $("lines-open").hidden = tape.lines.length < 2;
    $("lines-count").textContent = `${tape.lines.length}`;
    $("check-open").hidden = !tape.log;
    $("check-open").replaceChildren("Check", make("span", "", tape.over ? " the dice" : " the chain"));
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
    on("large", () => this.enlarge());
    on("cover", () => {
      this.toggle("cover", document.body, "covered");
      this.cover();
    });
    on("theme", () => this.paint(document.documentElement.dataset.theme !== "dark"));
    on("keys-open", () => this.open("keys"));
    on("lines-open", () => this.lines());
    on("check-open", () => this.check());
    on("back-to-game", () => this.switch(this.tape.lines[0]));
    on("unread", () => this.catchUp());
    addEventListener("resize", () => drawTime(this.course, $("bands"), $("marks")));
    night.addEventListener("change", () => this.paint(night.matches));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.seats.addEventListener("change", () => this.see(this.tape.views[Number(this.seats.value)]));
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
      else if (link) this.go(this.story.rows.indexOf(/** @type {HTMLElement} */ (link.parentElement?.closest("li"))));
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
    const { lines } = this.tape;
    if (!this.course.holds(at)) {
      this.line = lines.find((line) => holds(line, at)) ?? this.line;
    }
    this.follow(at);
  }

  /** Shows the line and the seat anew, at a position. @param {number} at */
  follow(at) {
    this.lay();
    this.moment = -1;
    this.go(this.course.moment(at));
  }

  /** Lays out the line as the seat knew it: timeline, curve, jumps and story. */
  lay() {
    this.course = new Course(this.view, this.line);
    const { course, tape } = this;
    drawTime(course, $("bands"), $("marks"));
    const curve = this.view === tape.views[0] ? tape.curve : null;
    this.worth = curve && new Worth(curve, course);
    $("curve-box").hidden = !this.worth;
    this.worth?.draw($("curve"));
    this.slider.max = `${course.moments.length - 1}`;
    /** @type {string[]} */
    const kinds = Object.values(KINDS).filter((kind) => course.targets(kind).length);
    $("key").replaceChildren(...["reveal", "take-back", "note"].filter((one) => kinds.includes(one)).map((one) => {
      const sign = make("span", one, { reveal: "revealed", "take-back": "taken back to", note: "note" }[one]);
      sign.prepend(make("i"));
      return sign;
    }));
    const kind = this.jumps.value;
    this.jumps.replaceChildren(...kinds.map((one) => new Option(PLURALS[one], one)));
    this.jumps.value = kinds.includes(kind) ? kind : kinds.includes("round") ? "round" : kinds[0] ?? "";
    $("aside").hidden = this.line === tape.lines[0];
    $("aside").firstElementChild?.replaceChildren(`This line was left: ${this.line.left || "it is not the one the game is on"}.`);
    this.story.tell(course, tape.lines);
  }

  /**
   * Takes in what happened since: data as `news` of warptape.projections.page.news gives it. Who stands at the end of the
   * game goes along with it; anybody else stays at the moment, the line and the place in the story where they are.
   * @param {News} news @returns {boolean} false where something between is missing: `tape.upto` says since when
   */
  append(news) {
    const { tape, course, story } = this;
    const { list } = story;
    const [at, own, last] = [course.moments[this.moment].beat[0], this.line === tape.lines[0], this.moment === course.moments.length - 1];
    const [along, was, known] = [own && last, this.line.tip, new Set(course.starts)];
    const down = story.rows[this.moment].offsetTop - list.scrollTop;
    const focused = list.contains(document.activeElement) && document.activeElement?.tagName === "A";
    if (news.since >= 0 && news.upto <= tape.upto) return true;
    if (!tape.append(news)) return false;
    const { lines } = tape;
    this.view = tape.views.find(({ seat }) => seat === this.view.seat) ?? tape.views[0];
    this.line = (own ? (along || holds(lines[0], at)) && lines[0] : lines.find(({ tip }) => tip === was)) ||
      lines.find((line) => holds(line, at)) || lines[0];
    this.state();
    this.lay();
    const { moments } = this.course;
    const fresh = moments.filter(({ beat }) => !known.has(beat[0]));
    const to = along ? moments.length - 1 : this.course.moment(at);
    const before = this.moment;
    this.story.rows.forEach((row, number) => row.classList.toggle("past", number < to));
    this.moment = to;
    this.show(along && to > before && !calm.matches ? 350 : 0);
    if (focused) story.link(to)?.focus({ preventScroll: true });
    if (along) {
      this.story.turn(to, !calm.matches);
      $("now").textContent = fresh.map(({ beat }) => told(beat)).join(" ") || told(moments[to].beat);
    } else list.scrollTop = story.rows[to].offsetTop - down;
    this.unread = along ? 0 : this.unread + new Course(this.view, lines[0]).starts.filter((start) => start > this.seenTo).length;
    this.seenTo = tape.upto;
    this.offer();
    if (/** @type {HTMLDialogElement} */ ($("lines")).open) this.listLines();
    return true;
  }

  /** Takes in all of the game anew: what this page may see of it is not what it was. @param {Content} content */
  renew(content) {
    const { tape } = this;
    this.append(content);
    [tape.title, tape.seenAs, tape.seats, tape.curve] = [content.title, content.seen_as, content.seats, content.curve];
    this.front();
  }

  /** Whether the last moment of the game is shown. */
  get latest() {
    return this.line === this.tape.lines[0] && this.moment === this.course.moments.length - 1;
  }

  /** Goes to where the game stands. */
  catchUp() {
    if (this.line !== this.tape.lines[0]) this.switch(this.tape.lines[0]);
    this.go(Infinity);
  }

  /** Offers to go to what has come. */
  offer() {
    const { unread } = this;
    $("unread").hidden = !unread;
    $("unread").textContent = `${unread} new moment${unread === 1 ? "" : "s"}: go there`;
  }

  /** Goes to a moment of the line. @param {number} wanted */
  go(wanted) {
    const last = this.course.moments.length - 1;
    const moment = Math.max(0, Math.min(wanted, last));
    const before = this.moment;
    if (moment === before) return;
    const near = before >= 0 && Math.abs(moment - before) === 1 && !calm.matches;
    this.moment = moment;
    const focused = this.story.list.contains(document.activeElement) && document.activeElement?.tagName === "A";
    this.show(near ? Math.min(350, 500 / this.speed) : 0, before);
    if (focused) this.story.link(moment)?.focus({ preventScroll: true });
    this.story.turn(moment, near && this.speed <= 4);
    if (!this.timer || this.speed <= 1) $("now").textContent = told(this.course.moments[moment].beat);
    if (moment === last) {
      if (this.timer) this.play();
      if (this.line === this.tape.lines[0]) this.unread = 0;
      this.offer();
    }
  }

  /** Shows the moment the page is at. @param {number} millis how long pieces take to move @param {number} [before] */
  show(millis, before = this.moment) {
    const { course, moment } = this;
    const last = course.moments.length - 1;
    const { beat, end } = course.moments[moment];
    const shown = this.view.board(end);
    if (!shown) return;
    const fresh = this.board.show(shown.board, millis);
    if ($("stage").matches(".large")) bring($("board-box"), fresh.filter((element) => named(element)), millis > 0);
    this.tracks.show(shown.tracks);
    this.legend.show(shown.legend);
    $("board-box").hidden = !shown.board.parts.length;
    $("large").hidden = !shown.board.parts.length;
    $("legend-box").hidden = !shown.legend.parts.length;
    $("board-words").textContent = [shown.heading, shown.words].filter(Boolean).join(" ");
    const panels = `${shown.panels}`;
    if (panels !== this.panels) $("panels").innerHTML = shown.panels.map((part) => this.tape.parts.all[part]).join("");
    this.panels = panels;
    const bare = !(shown.board.parts.length || shown.tracks.parts.length || shown.panels.length);
    $("where").textContent = [...course.parts(moment), shown.due, bare && "Nothing lies on the table yet"].filter(Boolean).join(" · ");
    const decided = course.decided[moment];
    $("count").replaceChildren(`${moment + 1} of ${last + 1}`, make("span", "", ` · @${end} · ${decided} decision${decided === 1 ? "" : "s"}`));
    $("caption").textContent = told(beat);
    const { slider } = this;
    slider.value = `${moment}`;
    slider.setAttribute("aria-valuetext", `${moment + 1} of ${last + 1}: ${told(beat)}`);
    $("deck").style.setProperty("--done", `${along(course, moment)}%`);
    this.story.mark(moment, before);
    this.value(moment);
    this.cover();
    history.replaceState(null, "", this.live && this.latest ? location.pathname : `#@${beat[0]}`);
    this.shown();
  }

  /** Marks on the timeline what is still to come: it is hidden with the rest of that. */
  cover() {
    if (!document.body.matches(".covered")) return;
    for (const one of /** @type {NodeListOf<HTMLElement>} */ ($("time").querySelectorAll("[data-moment]"))) {
      one.classList.toggle("ahead", Number(one.dataset.moment) > this.moment);
    }
  }

  /** Draws the board larger or as it was. Larger, it scrolls, to where things happen and by arrow keys. */
  enlarge() {
    this.toggle("large", $("stage"));
    const large = $("stage").matches(".large");
    const box = $("board-box");
    box.toggleAttribute("tabindex", large);
    if (!large) return;
    box.tabIndex = 0;
    const last = [...this.board.shown.values()].filter((element) => element.matches(".wt-last,:has(.wt-last)"));
    bring(box, last.length ? last : [this.board.svg], false);
  }

  /** Says what the game was worth. @param {number} moment */
  value(moment) {
    if (!this.worth) return;
    const shares = this.worth.at(moment);
    const x = 10 * along(this.course, moment);
    $("curve").querySelector(".here")?.setAttribute("d", `M${x} 0V100`);
    $("curve").querySelector(".veil")?.setAttribute("d", `M${x} 0H1000V100H${x}z`);
    const names = new Map(this.tape.seats.map(([id, name]) => [id, name]));
    const words = $("curve-words");
    words.replaceChildren(make("span", "lead", "Chances to win:"));
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

  /** @param {Seen} view */
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
    if (target.matches("select,input:not([type=range]):not([type=checkbox])") || (target.matches("#board-box") && event.key.startsWith("Arrow")) || (event.key === " " && target.matches("button,summary,input,a"))) return;
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
    if (this.tape.lines.length < 2) return;
    this.listLines();
    this.open("lines");
  }

  listLines() {
    $("lines-list").replaceChildren(...this.tape.lines.map((line, number) => {
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
  }

  async check() {
    const { log } = this.tape;
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
