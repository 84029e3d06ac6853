"use strict";
// A game on a server: who is here, what happens, whose turn it is, and what the others ask.

/** @typedef {{seat: string, position: number, to: number}} Requested */
/** @typedef {{sees: string, info: Info, requested: Requested | null}} Stand */

/** What a browser keeps of a game: its token, for this window or for this device. */
const keeping = {
  /** @param {string} name @param {Storage} storage */
  read(name, storage) {
    try {
      return storage.getItem(`warptape:${name}`) ?? "";
    } catch {
      return "";
    }
  },
  /** @param {string} name @param {string} value empty: it is forgotten @param {Storage} storage */
  write(name, value, storage) {
    try {
      if (value) storage.setItem(`warptape:${name}`, value);
      else storage.removeItem(`warptape:${name}`);
    } catch { /* a browser that keeps nothing asks again */ }
  },
};

/** A page on which a game goes on. */
class Live {
  /** @param {string} game @param {string} token */
  constructor(game, token) {
    this.game = game;
    this.path = `/games/${game}`;
    this.wire = new Wire(token, (up, why) => this.line(up, why));
    /** @type {Page | null} */
    this.page = null;
    /** @type {Acting | null} */
    this.acting = null;
    /** @type {Info | null} */
    this.info = null;
    this.sees = "";
    /** @type {Requested | null} */
    this.requested = null;
    /** @type {Promise<void> | null} */
    this.catching = null;
    this.again = false;
    this.shown = -1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.gone = undefined;
    /** @type {HTMLInputElement} */
    this.notify = $("notify");
    /** @type {HTMLInputElement} */
    this.keep = $("keep");
  }

  /** Opens the game, and goes on with it; throws Refused. */
  async open() {
    await this.fresh();
    this.listen();
    try {
      await this.wire.follow(this.game, () => this.page?.tape.upto ?? -1, ({ event, data }) => this.hear(event, data));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.wire.close();
      if (error.status === 401) forget(this.game);
      trouble(error.status === 404 ? "This game is not there any more." : `${error.message} Ask for a new invitation.`);
      $("doing").hidden = true;
    }
  }

  /** Shows the game as it stands, where anything of it is to be seen. */
  async start() {
    try {
      const found = await this.wire.ask(`${this.path}/page`);
      if (this.page) this.page.renew(found.content);
      else {
        this.page = new Page(new Tape(found.content), true);
        this.acting = new Acting(this.page, this.wire, this.game, () => this.fresh());
        const { page } = this;
        new ResizeObserver(() => { // what may be done takes more room, or less: what happened last stays in sight
          if (page.latest) page.story.turn(page.moment, false);
        }).observe($("story"));
      }
      document.body.classList.remove("empty");
      $("acting").hidden = false;
      trouble("");
      await this.know(found);
      if (found.content.upto < found.info.length - 1) this.again = true; // it was drawn some time ago
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code !== "bad-address") throw error;
      document.body.classList.remove("waiting");
      trouble(error.message);
    }
  }

  /** @param {string} event @param {any} data */
  hear(event, data) {
    if (event === "deleted") {
      this.wire.close();
      forget(this.game);
      trouble("This game was deleted.");
      $("acting").hidden = true;
    } else if (event !== "rows" || data.length - 1 > (this.page?.tape.upto ?? -1)) {
      this.fresh().catch((error) => {
        if (!(error instanceof Refused)) throw error; // of a token that was revoked the stream tells
      });
    }
  }

  /** Takes in what is new; one at a time, and once more if something came meanwhile. */
  fresh() {
    this.again = !!this.catching;
    this.catching ??= this.take().finally(() => {
      this.catching = null;
      return this.again ? this.fresh() : undefined; // it came after the last look
    });
    return this.catching;
  }

  async take() {
    do {
      this.again = false;
      const { page } = this;
      if (!page) {
        await this.start();
        if (!this.page) return;
        continue;
      }
      const given = new URLSearchParams({ since: `${page.tape.upto}`, sees: this.sees });
      const found = await this.wire.ask(`${this.path}/news?${given}`);
      if (found.news && page.append(found.news)) await this.know(found);
      else await this.start();
    } while (this.again);
  }

  // How it stands

  /** @param {Stand} stand */
  async know({ sees, info, requested }) {
    const { page, acting } = this;
    if (!page || !acting) return;
    const before = this.mine;
    this.sees = sees;
    this.info = info;
    if (page.tape.title !== info.name) {
      page.tape.title = info.name;
      page.front();
    }
    const listed = acting.know(info);
    this.turn(before);
    this.ask(requested);
    await listed;
  }

  get mine() {
    return this.acting?.mine ?? false;
  }

  /** @param {string} seat */
  named(seat) {
    return this.page?.tape.seats.find(([id]) => id === seat)?.[1] ?? seat;
  }

  /** Says whose turn it is. @param {boolean} before whether it was whoever is here who had to decide */
  turn(before) {
    const { info, page, mine } = this;
    if (!info || !page) return;
    const { decision } = info;
    const who = decision ? decision.people.join(" or ") || this.named(decision.seat) : "";
    const all = info.acts.length > 1;
    $("turn").textContent = !decision ? "The game is over" : mine && !all ? `Your turn${decision.people.length ? `: ${who}` : ""}` : `${who} to decide`;
    const late = info.delay > 0 ? ` You watch ${info.delay} events late.` : "";
    $("prompt").textContent = decision ? `${decision.prompt}${late}` : page.tape.ending;
    const title = `${page.tape.title} · ${page.tape.about}`;
    document.title = mine ? `● ${$("turn").textContent} · ${title}` : title;
    if (!mine || before) return;
    $("turned").textContent = `${$("turn").textContent}. ${decision?.prompt ?? ""}`;
    if (this.notify.checked && globalThis.Notification?.permission === "granted" && (document.hidden || !document.hasFocus())) {
      try {
        const notice = new Notification(`Your turn: ${page.tape.title}`, { body: decision?.prompt ?? "", tag: this.game, silent: true });
        notice.onclick = () => {
          focus();
          notice.close();
        };
      } catch { // browsers on telephones know the word, and let no page do it
        this.notify.checked = false;
        this.notify.disabled = true;
      }
    }
  }

  /** Says what is asked of whom. @param {Requested | null} requested */
  ask(requested) {
    const { info, page } = this;
    if (!info || !page) return;
    this.requested = requested;
    const other = requested && info.acts.find((seat) => seat !== requested.seat);
    const own = requested && info.acts.includes(requested.seat);
    $("asked").hidden = !requested;
    $("answer").hidden = !other;
    /** @type {HTMLDialogElement} */
    const dialog = $("consent");
    if (!requested || !other) dialog.close();
    if (!requested) return;
    const who = this.named(requested.seat);
    $("asked").firstElementChild?.replaceChildren(own && !other ? "You asked to take back. There is no answer yet." : `${who} asks to take back.`);
    $("consent-words").textContent = `${who} asks to take back what was done since @${requested.to}:`;
    const line = page.tape.lines[0];
    const done = page.view.beats.filter(([at, text]) => at > requested.to && at < requested.position && text && holds(line, at)).map(([, text]) => text);
    const shown = done.length > 12 ? [...done.slice(0, 11), `… and ${done.length - 11} more`] : done;
    $("consent-list").replaceChildren(...shown.map((text) => make("li", "", text)));
    if (other && requested.position !== this.shown && !document.querySelector("dialog[open]")) {
      this.shown = requested.position;
      dialog.showModal();
    }
  }

  /** @param {boolean} agree */
  async consent(agree) {
    const { requested, info, acting } = this;
    /** @type {HTMLDialogElement} */ ($("consent")).close();
    const seat = requested && info?.acts.find((one) => one !== requested.seat);
    if (!seat || !acting) return;
    while (acting.busy) await acting.doing; // an answer is not lost because something else is under way
    await acting.change("consent", { agree, seat });
  }

  /** Says whether the line is up. @param {boolean} up @param {string} why */
  line(up, why) {
    const link = $("link");
    link.hidden = false;
    link.textContent = up ? "The line is back." : `${why || "The line is down"}${/[.!?]$/.test(why) ? "" : "."} Trying again…`;
    clearTimeout(this.gone);
    if (up) this.gone = setTimeout(() => { link.hidden = true; }, 3000);
  }

  // This browser

  listen() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ does) => $(id).addEventListener("click", does);
    on("answer", () => /** @type {HTMLDialogElement} */ ($("consent")).showModal());
    on("agree", () => this.consent(true));
    on("refuse", () => this.consent(false));
    on("later", () => /** @type {HTMLDialogElement} */ ($("consent")).close());
    on("leave", () => {
      forget(this.game);
      location.reload();
    });
    this.keep.checked = !!keeping.read(this.game, localStorage);
    this.keep.addEventListener("change", () => hold(this.game, this.wire.token, this.keep.checked));
    const able = "Notification" in globalThis;
    this.notify.disabled = !able;
    this.notify.checked = able && Notification.permission === "granted" && !!keeping.read("notify", localStorage);
    this.notify.addEventListener("change", async () => {
      if (this.notify.checked) this.notify.checked = (await Notification.requestPermission()) === "granted";
      keeping.write("notify", this.notify.checked ? "yes" : "", localStorage);
    });
    /** @type {HTMLInputElement} */
    const atOnce = $("at-once");
    atOnce.checked = !!keeping.read("at-once", localStorage);
    atOnce.addEventListener("change", () => keeping.write("at-once", atOnce.checked ? "yes" : "", localStorage));
    $("keys-list").append(...[["/", "filter the actions, or type one"], ["Enter", "do what is proposed"],
      ["Esc", "one step back of what was chosen or typed"]].map(([key, does]) => keyRow(key, does)));
  }
}

/** @param {string} text */
function trouble(text) {
  $("trouble").hidden = !text;
  $("trouble").textContent = text;
}

/** Keeps a token for this window, and for this device if that was wished. @param {string} game @param {string} token @param {boolean} long */
function hold(game, token, long) {
  keeping.write(game, token, sessionStorage);
  keeping.write(game, long ? token : "", localStorage);
}

/** @param {string} game */
function forget(game) {
  keeping.write(game, "", sessionStorage);
  keeping.write(game, "", localStorage);
}

/**
 * Asks for an invitation or a token, and takes an invitation up.
 * @param {string} game where it is known @param {string} code where there is one already @param {string} said why it is asked for
 * @returns {Promise<[string, string]>} the game and its token
 */
function entered(game, code, said = "") {
  /** @type {HTMLDialogElement} */
  const dialog = $("enter");
  const invited = code.startsWith("wi_");
  $("enter-words").textContent = invited ? "You were invited to a game." : `${game ? "This game is" : "Games are"} for those who were invited${game ? " to it" : ""}.`;
  $("code-box").hidden = invited;
  /** @type {HTMLInputElement} */
  const field = $("code");
  /** @type {HTMLInputElement} */
  const name = $("name");
  field.value = code;
  const say = (/** @type {string} */ text) => {
    $("enter-said").hidden = !text;
    $("enter-said").textContent = text;
  };
  say(said);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.showModal();
  (invited ? name : field).focus();
  return new Promise((done) => {
    const form = $("enter-form");
    form.onsubmit = async (event) => {
      event.preventDefault();
      const secret = field.value.trim().replace(/^.*#/, "");
      const wire = new Wire(secret.startsWith("wi_") ? "" : secret, (up) => say(up ? "" : "The line is down. Trying again…"));
      try {
        let found = { game, token: secret };
        if (secret.startsWith("wi_")) {
          const key = keeping.read(`key:${secret}`, sessionStorage) || newKey();
          keeping.write(`key:${secret}`, key, sessionStorage);
          found = await wire.ask("/join", { invitation: secret, name: name.value.trim(), key });
        } else {
          /** @type {{id: string, role: string}[]} */
          const opens = game ? [await wire.ask(`/games/${game}`)] : (await wire.ask("/games")).games;
          const own = opens.find(({ role }) => role !== "host");
          if (!own) {
            say("This is the host's token: it starts games, and shows none. Each has invitations and tokens of its own.");
            return;
          }
          found.game = own.id;
        }
        hold(found.game, found.token, /** @type {HTMLInputElement} */ ($("enter-keep")).checked);
        dialog.close();
        done([found.game, found.token]);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        say(error.message);
        $("code-box").hidden = false;
      } finally {
        keeping.write(`key:${secret}`, "", sessionStorage);
      }
    };
  });
}

/** Opens the game that the address names, for whoever has a token. */
async function boot() {
  let game = /^\/play\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
  const fragment = decodeURIComponent(location.hash.slice(1));
  // A secret does not stay where it can be read, copied or kept in a history.
  if (!fragment.startsWith("@")) history.replaceState(null, "", location.pathname);
  let code = fragment.startsWith("w") ? fragment : "";
  let token = keeping.read(game, sessionStorage) || keeping.read(game, localStorage);
  if (game && code.startsWith("wt_")) {
    token = code;
    hold(game, token, !!keeping.read(game, localStorage));
  } else if (code) token = "";
  addEventListener("hashchange", () => { // another link to the same page: it is read as the first was
    if (/^#w[ti]_/.test(location.hash)) location.reload();
  });
  document.body.classList.add("empty");
  for (let said = ""; ; ) {
    if (!token) {
      document.body.classList.remove("waiting");
      [game, token] = await entered(game, code, said);
      history.replaceState(null, "", `/play/${game}${location.hash}`);
    }
    try {
      return await new Live(game, token).open();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      forget(game);
      [token, code, said] = ["", "", error.message];
    }
  }
}

boot().catch((error) => {
  trouble(`This page failed: ${error}. Load it again.`);
  throw error;
});
