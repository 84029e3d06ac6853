"use strict";
// Acting: the legal actions as a list and on the board, a proposal in words before anything is done, notation, results of dice.

/** @typedef {{seat: string, prompt: string, people: string[]}} Asked */
/** @typedef {{name: string, tip: number, length: number, seats: Record<string, string>, policy: string, role: string,
 *   seat: string, sees: string, acts: string[], delay: number, outcome: string, decision: Asked | null}} Info */
/** @typedef {{number: number, notation: string, words: string, person: string}} Choice */
/** @typedef {{position: number, seat: string, prompt: string, total: number, all: number, verbs: Record<string, number>,
 *   actions: Choice[], names: string[]}} Offer */
/** @typedef {{actions: string[], key: string, expect: number, outcomes: string[]}} Act */

/** How many actions come at once, and how long to wait while somebody types, in milliseconds. */
const AT_ONCE = 100;
const TYPING = 150;

const shapes = ":scope>rect,:scope>circle,:scope>polygon,:scope>path,:scope>g>rect,:scope>g>circle,:scope>g>polygon,:scope>g>path";

/** @param {Element} element */
const refs = (element) => (element.getAttribute("data-ref") ?? "").split(" ");

/** The line round what is drawn of something on the board. @param {Element} element */
function rim(element) {
  const piece = element.matches(".wt-piece") ? element : element.querySelector(".wt-piece") ?? element;
  const body = [...piece.querySelectorAll(shapes)].find((shape) => shape.getAttribute("fill") !== "#000");
  const copy = /** @type {Element | undefined} */ (body?.cloneNode());
  for (const name of ["class", "fill", "stroke-width", "stroke-dasharray", "stroke-opacity"]) copy?.removeAttribute(name);
  return copy;
}

/** What whoever is to decide can do, and how they say so. */
class Acting {
  /** @param {Page} page @param {Wire} wire @param {string} game @param {() => Promise<void>} fresh takes in what is new */
  constructor(page, wire, game, fresh) {
    this.page = page;
    this.wire = wire;
    this.path = `/games/${game}`;
    this.fresh = fresh;
    /** @type {Info | null} */
    this.info = null;
    /** What was chosen on the board, one after the other: of each the names that it may stand for. @type {string[][]} */
    this.picks = [];
    /** @type {Offer | null} */
    this.offer = null;
    /** What actions name as long as nothing is chosen. @type {string[]} */
    this.names = [];
    /** @type {{notation: string, words: string} | null} */
    this.proposal = null;
    /** What waits for the results of dice and draws. @type {Act | null} */
    this.waiting = null;
    this.asked = 0;
    /** @type {Promise<unknown>} */
    this.loading = Promise.resolve();
    this.busy = false;
    /** What is being done. @type {Promise<void>} */
    this.doing = Promise.resolve();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    /** @type {HTMLInputElement} */
    this.words = $("words");
    /** @type {HTMLSelectElement} */
    this.verb = $("verb");
    /** @type {HTMLInputElement} */
    this.atOnce = $("at-once");
    page.shown = () => this.rings();
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ does) => $(id).addEventListener("click", does);
    on("confirm", () => this.confirm());
    on("cancel", () => this.cancel());
    on("more", () => this.load(true));
    on("catch-up", () => this.page.catchUp());
    on("undo", () => this.change("undo"));
    on("redo", () => this.change("redo"));
    on("ask-undo", () => this.change("ask-undo"));
    on("no-result", () => this.enough());
    $("board").addEventListener("click", (event) => this.click(event));
    $("results").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    $("asking").addEventListener("submit", (event) => {
      event.preventDefault();
      this.typed();
    });
    this.words.addEventListener("input", () => {
      this.say("");
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.load(), TYPING);
    });
    this.verb.addEventListener("change", () => this.load());
    $("choices").addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const found = button && this.offer?.actions.find(({ number }) => `${number}` === button.dataset.number);
      if (found) this.propose(found.notation, this.told(found));
    });
    $("picked").addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (!button) return;
      this.picks.splice(Number(button.dataset.pick), 1);
      this.load();
      this.words.focus();
    });
    $("acting").addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (event.key === "Escape" && this.escape()) event.preventDefault();
      const free = event.target === document.body || $("board-box").contains(/** @type {Node} */ (event.target));
      if (event.key === "Enter" && this.proposal && free) this.confirm();
      const typing = event.target instanceof Element && event.target.matches("input,select");
      if (event.key === "/" && this.mine && !typing) {
        this.words.focus();
        event.preventDefault();
      }
    });
  }

  /** Whether it is for whoever is here to decide. */
  get mine() {
    const { info } = this;
    return !!info?.decision && info.acts.includes(info.decision.seat);
  }

  /** Takes in how the game stands. @param {Info} info @returns {Promise<unknown>} */
  know(info) {
    const was = JSON.stringify([this.info?.tip, this.info?.decision]);
    const before = this.info;
    this.info = info;
    $("acting").classList.toggle("mine", this.mine);
    $("doing").hidden = !this.mine;
    $("backwards").hidden = !info.acts.length;
    $("ask-undo").hidden = info.policy !== "consent";
    $("at-once-box").hidden = !info.acts.length;
    if (before && was === JSON.stringify([info.tip, info.decision])) return this.loading;
    this.picks = [];
    this.names = [];
    this.offer = null;
    this.proposal = null;
    if (!this.busy) this.waiting = null;
    this.words.value = "";
    this.verb.value = "";
    this.draw();
    return this.mine ? this.load() : Promise.resolve();
  }

  // What can be done

  /** Asks what can be done of what is chosen and typed; `more` of it. @param {boolean} [more] */
  load(more = false) {
    clearTimeout(this.typing);
    this.typing = undefined;
    const mine = ++this.asked;
    const number = /^\d+$/.test(this.words.value.trim()) ? this.words.value.trim() : "";
    const given = new URLSearchParams({ limit: `${number ? 1 : AT_ONCE}`,
      offset: number ? `${Math.max(0, Number(number) - 1)}` : more && this.offer ? `${this.offer.actions.length}` : "0" });
    const wanted = { q: number ? "" : this.words.value.trim(), verb: number ? "" : this.verb.value,
      names: number ? "" : this.picks.map((one) => one.join(",")).join(" ") };
    for (const [name, value] of Object.entries(wanted)) if (value) given.set(name, value);
    this.loading = this.wire.ask(`${this.path}/actions?${given}`).then((/** @type {Offer} */ found) => {
      if (mine !== this.asked) return;
      const first = more && this.offer ? this.offer.actions : [];
      this.offer = { ...found, total: number ? found.actions.length : found.total, actions: [...first, ...found.actions] };
      if (!Object.values(wanted).some(Boolean) && !number) this.names = found.names;
      this.draw();
      if (more) /** @type {HTMLElement | undefined} */ ($("choices").querySelectorAll("button")[first.length])?.focus();
    }, (error) => this.fail(error));
    return this.loading;
  }

  /** An action in words. @param {Choice} choice */
  told({ words, person }) {
    return person ? `${person}: ${words}` : words;
  }

  /** Shows what can be done, and what is chosen and proposed of it. */
  draw() {
    const { offer, picks, proposal } = this;
    $("proposal").hidden = !proposal;
    $("proposal-words").textContent = proposal ? proposal.words : "";
    $("results").hidden = !this.waiting;
    $("picked").hidden = !picks.length;
    $("picked").replaceChildren("Chosen:", ...picks.map((names, number) => {
      const button = make("button", "", `${names.join(" / ")} ×`);
      button.setAttribute("aria-label", `${names.join(" or ")}: choose it no longer`);
      button.dataset.pick = `${number}`;
      return button;
    }));
    for (const id of ["confirm", "undo", "redo", "ask-undo"]) /** @type {HTMLButtonElement} */ ($(id)).disabled = this.busy;
    $("acting").setAttribute("aria-busy", `${this.busy}`);
    this.list(offer);
    this.rings();
  }

  /** @param {Offer | null} offer */
  list(offer) {
    const box = $("choices");
    const verbs = Object.entries(offer?.verbs ?? {});
    const { value } = this.verb;
    $("verb").hidden = verbs.length < 2 || (offer?.all ?? 0) <= 8;
    this.verb.replaceChildren(new Option(`All kinds (${offer?.all ?? 0})`, ""), ...verbs.map(([verb, count]) => new Option(`${verb} (${count})`, verb)));
    this.verb.value = verbs.some(([verb]) => verb === value) ? value : "";
    /** @type {Map<string, Choice[]>} */
    const groups = new Map();
    for (const one of offer?.actions ?? []) {
      const verb = one.notation.split(" ", 1)[0];
      groups.set(verb, [...(groups.get(verb) ?? []), one]);
    }
    box.replaceChildren(...[...groups].flatMap(([verb, found]) => {
      const list = make("ol");
      list.append(...found.map((one) => {
        const item = make("li");
        const button = make("button");
        button.append(make("span", "", this.told(one)), make("code", "", one.notation));
        button.dataset.number = `${one.number}`;
        button.setAttribute("aria-pressed", `${this.proposal?.notation === one.notation}`);
        item.append(button);
        return item;
      }));
      list.setAttribute("aria-label", verb);
      return groups.size > 1 && (offer?.all ?? 0) > 8 ? [make("h3", "", `${verb} (${found.length})`), list] : [list];
    }));
    const left = offer ? offer.total - offer.actions.length : 0;
    $("more").hidden = left <= 0;
    $("more").textContent = `Show ${Math.min(left, AT_ONCE)} more of ${left}`;
    const some = !!this.picks.length || !!this.words.value.trim() || !!this.verb.value;
    $("matching").textContent = !offer ? "" : `${some ? `${offer.total} of ` : ""}${offer.all} action${offer.all === 1 ? "" : "s"}`;
  }

  /** Marks on the board what can be chosen, and what was. */
  rings() {
    const { svg } = this.page.board;
    $("rings")?.remove();
    const here = this.mine && this.page.latest;
    $("behind").hidden = !this.mine || this.page.latest;
    const names = new Set(here ? this.offer?.names ?? [] : []);
    const chosen = new Set(here ? this.picks.flat() : []);
    const rings = document.createElementNS(SVG, "g");
    rings.id = "rings";
    rings.setAttribute("aria-hidden", "true");
    for (const element of svg.querySelectorAll("[data-ref]")) {
      const own = refs(element);
      const may = own.some((name) => names.has(name));
      const is = own.some((name) => chosen.has(name));
      element.classList.toggle("may", may || is);
      if ((!may && !is) || element.parentElement?.closest("[data-ref]")) continue;
      const copy = rim(element);
      if (is) copy?.setAttribute("class", "chosen");
      if (copy) rings.append(copy);
    }
    if (rings.childElementCount) svg.append(rings);
  }

  /** Chooses what lies under a click: what is on top of it first. @param {MouseEvent} event */
  async click(event) {
    if (!this.mine || !this.page.latest || this.busy || !this.offer) return;
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest("#board [data-ref]"));
    const things = [...new Set(under)].flatMap((one) => (one ? [refs(one)] : []));
    if (things.some((names) => this.unpick(names))) return this.load();
    const may = (/** @type {string[]} */ names, /** @type {string[]} */ among) => names.filter((name) => among.includes(name));
    const known = !!this.offer.names.length || !this.offer.total;
    for (const names of this.picks.length || this.words.value ? things : []) {
      const found = known ? may(names, this.offer.names) : names;
      if (found.length) return this.pick([...this.picks, found]);
    }
    for (const names of things) {
      const found = this.names.length ? may(names, this.names) : names;
      if (found.length) {
        this.words.value = "";
        this.verb.value = "";
        return this.pick([found]);
      }
    }
    const there = things.flat()[0];
    this.picks = [];
    await this.load();
    this.say(there ? `Nothing to do with ${there} now.` : "");
  }

  /** @param {string[]} names @returns {boolean} whether it was chosen */
  unpick(names) {
    const last = this.picks[this.picks.length - 1];
    if (!last || !names.some((name) => last.includes(name))) return false;
    this.picks.pop();
    this.proposal = null;
    return true;
  }

  /** @param {string[][]} picks */
  async pick(picks) {
    this.picks = picks;
    this.proposal = null;
    this.say("");
    await this.load();
    const { offer } = this;
    if (!offer || offer.total !== 1) return;
    const [{ notation }] = offer.actions;
    if (this.atOnce.checked) await this.act(notation);
    else this.propose(notation, this.told(offer.actions[0]));
  }

  /** What was typed: a number, the one action it leaves, or notation. */
  async typed() {
    const text = this.words.value.trim();
    if (!text) return;
    if (this.typing) this.load();
    await this.loading;
    const { offer } = this;
    const exact = offer?.actions.find(({ notation }) => notation === text) ?? (offer?.total === 1 ? offer.actions[0] : undefined);
    if (exact) return this.propose(exact.notation, this.told(exact));
    try {
      const answer = await this.wire.ask(`${this.path}/why`, { action: text });
      if (answer.legal) this.propose(text, text);
      else this.say(`Refused${answer.rule ? ` ${answer.rule}` : ""}: ${answer.reason}.`.replace("..", "."));
    } catch (error) {
      this.fail(error);
    }
  }

  // Doing it

  /** Says in words what would be done, for whoever is to say yes. @param {string} notation @param {string} words */
  propose(notation, words) {
    this.say("");
    this.proposal = { notation, words };
    this.draw();
    $("confirm").focus();
    $("proposal").scrollIntoView({ block: "nearest" });
  }

  async confirm() {
    const { proposal } = this;
    if (proposal && !this.busy) await this.act(proposal.notation);
  }

  cancel() {
    const number = this.offer?.actions.find(({ notation }) => notation === this.proposal?.notation)?.number;
    this.proposal = null;
    const picked = this.picks.length > 0;
    this.picks = this.offer?.total === 1 && picked ? this.picks.slice(0, -1) : this.picks;
    this.draw();
    if (picked) this.load();
    const button = /** @type {HTMLElement | null} */ ($("choices").querySelector(`[data-number="${number}"]`));
    (button && !picked ? button : this.words).focus({ preventScroll: true });
  }

  /** Takes one step back of what was chosen or typed. @returns {boolean} whether there was one */
  escape() {
    if (this.waiting) this.enough();
    else if (this.proposal) this.cancel();
    else if (this.words.value || this.verb.value) {
      this.words.value = "";
      this.verb.value = "";
      this.load();
    } else if (this.picks.length) {
      this.picks.pop();
      this.load();
    } else return false;
    this.say("");
    return true;
  }

  /** @param {string} notation */
  act(notation) {
    const { offer } = this;
    if (!offer) return Promise.resolve();
    return this.send({ actions: [notation], key: newKey(), expect: offer.position, outcomes: [] });
  }

  /** @param {Act} act */
  async send(act) {
    this.waiting = null;
    await this.hold(async () => {
      try {
        await this.wire.ask(`${this.path}/act`, act);
      } catch (error) {
        const code = error instanceof Refused ? error.problem.code : "";
        if (code === "needs-outcome" || code === "impossible-outcome") return this.lack(act, /** @type {Refused} */ (error));
        throw error;
      }
      this.proposal = null;
      await this.fresh();
      this.page.catchUp();
    });
  }

  /** Asks for the result of a die or a draw. @param {Act} act @param {Refused} error */
  lack(act, { problem }) {
    const wrong = problem.code === "impossible-outcome";
    this.waiting = wrong ? { ...act, outcomes: act.outcomes.slice(0, -1) } : act;
    if (wrong) this.say(problem.message);
    else $("results-ask").textContent = problem.message;
    $("possible").replaceChildren(...(problem.possible ?? []).slice(0, 200).map((one) => new Option(one)));
    this.draw();
    /** @type {HTMLInputElement} */ ($("result")).value = "";
    $("result").focus();
  }

  /** Takes a result that was entered. */
  enter() {
    const { value } = /** @type {HTMLInputElement} */ ($("result"));
    const results = value.trim().split(/[\s,]+/).filter(Boolean);
    if (this.waiting && results.length && !this.busy) {
      this.say("");
      this.send({ ...this.waiting, outcomes: [...this.waiting.outcomes, ...results] });
    }
  }

  /** No result: nothing is done. */
  enough() {
    this.waiting = null;
    this.draw();
    this.words.focus();
  }

  /** Makes another change, such as an undo. @param {string} what @param {object} [more] */
  change(what, more = {}) {
    return this.hold(async () => {
      await this.wire.ask(`${this.path}/${what}`, { key: newKey(), expect: this.info?.tip, ...more });
      await this.fresh();
      this.page.catchUp();
    });
  }

  /** Does one thing at a time, and says what was refused of it. @param {() => Promise<void>} does @returns {Promise<void>} */
  hold(does) {
    if (!this.busy) this.doing = this.held(does);
    return this.doing;
  }

  /** @param {() => Promise<void>} does */
  async held(does) {
    this.busy = true;
    this.say("");
    this.draw();
    try {
      await does();
    } catch (error) {
      await this.fail(error);
    } finally {
      this.busy = false;
      this.draw();
    }
    if (this.mine && !this.waiting && document.activeElement === document.body) this.words.focus({ preventScroll: true });
  }

  /** @param {unknown} error */
  async fail(error) {
    if (!(error instanceof Refused)) throw error;
    this.say(error.problem.code === "conflict" ? "Something happened meanwhile, and nothing was done. This is how it stands now." : error.message);
    if (error.problem.code === "conflict") await this.fresh();
  }

  /** @param {string} text */
  say(text) {
    $("said").hidden = !text;
    $("said").textContent = text;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const buttons = /** @type {HTMLElement[]} */ ([...$("choices").querySelectorAll("button")]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (target.closest("#choices button")));
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 && !(target === this.words && event.key === "ArrowDown")) return;
    if (to !== undefined) {
      (buttons[Math.min(to, buttons.length - 1)] ?? this.words).focus();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key.length === 1 && event.key !== " ") {
      this.words.focus(); // and the letter goes there
      event.stopPropagation();
    }
  }
}
