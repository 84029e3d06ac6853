"use strict";
// The story beside the board: a row for each moment, with what was written and taken back there.

/** The rows of a story. A moment that is told already keeps its row. */
class Story {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    /** @type {HTMLElement[]} */
    this.rows = [];
    /** @type {Map<Beat, HTMLElement>} */
    this.known = new Map();
    this.told = "";
  }

  /** Tells a line. @param {Course} course @param {Line[]} lines */
  tell(course, lines) {
    const headings = ["level", "round", "turn"].filter((kind) => course.view.beats.some((beat) => beat[2] === kind));
    const told = JSON.stringify([course.view.seat, headings, lines.map(({ tip }) => tip).slice(1), course.line === lines[0] || course.line.tip]);
    if (told !== this.told) this.known.clear();
    this.told = told;
    this.rows = course.moments.map(({ beat }) => {
      const row = this.known.get(beat) ?? this.row(beat, headings, course, lines);
      this.known.set(beat, row);
      return row;
    });
    const wanted = new Set(this.rows);
    for (const row of [...this.list.children]) if (!wanted.has(/** @type {HTMLElement} */ (row))) row.remove();
    let cursor = this.list.firstChild;
    for (const row of this.rows) {
      if (row === cursor) cursor = cursor.nextSibling;
      else this.list.insertBefore(row, cursor);
    }
  }

  /** @param {Beat} beat @param {string[]} headings @param {Course} course @param {Line[]} lines */
  row([at, text, heading, acts, notes, returns], headings, course, lines) {
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
      if (from && !course.holds(Number(from[1])) && lines.some((line) => holds(line, Number(from[1])))) {
        const button = make("button", "", "Watch that line");
        button.dataset.to = from[1];
        said.append(button);
      }
      row.append(said);
    }
    return row;
  }

  /** Marks the moment that is shown, and what came before it. @param {number} moment @param {number} before the one shown before */
  mark(moment, before) {
    for (let i = Math.max(0, Math.min(moment, before)); i < Math.max(moment, before) && i < this.rows.length; i++) {
      this.rows[i].classList.toggle("past", i < moment);
    }
    for (const old of this.list.querySelectorAll("li.now")) {
      old.classList.remove("now");
      old.querySelector("a")?.removeAttribute("aria-current");
      old.querySelector("a")?.setAttribute("tabindex", "-1");
    }
    const row = this.rows[moment];
    const link = row.querySelector("a");
    row.classList.add("now");
    row.classList.remove("past");
    link?.setAttribute("aria-current", "step");
    link?.setAttribute("tabindex", "0");
  }

  /** The link of a moment. @param {number} moment */
  link(moment) {
    return this.rows[moment].querySelector("a");
  }

  /** Scrolls to a moment. @param {number} moment @param {boolean} gently */
  turn(moment, gently) {
    const { list } = this;
    const row = this.rows[moment];
    list.scrollTo({ top: row.offsetTop - (list.clientHeight - row.clientHeight) / 2.6, behavior: gently ? "smooth" : "instant" });
  }
}
