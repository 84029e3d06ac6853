"use strict";
// The game as the page holds it: unpacked, added to, its lines as rows of moments, its boards put together step by step.

/** @typedef {0 | number[]} Change */
/** @typedef {[number, string, string, number, string[], string[]]} Beat position, text, heading, acts, notes, take-backs */
/** @typedef {{seat: string, name: string, beats: Beat[], boards: any[][], targets: Record<string, number[]>,
 *   lasts: string[]}} View */
/** @typedef {{tip: number, spans: [number, number][], depth: number, parts: number, decisions: number, own: number,
 *   outcome: string, left: string}} Line */
/** @typedef {{seats: string[], points: [number, [number, number, number][]][], playouts: number,
 *   luck: [number, string][], choices: [number, string][]}} Curve */
/** @typedef {{since: number, upto: number, anew: boolean, lines: Line[], views: View[], parts: string[], texts: string[],
 *   over: boolean, ending: string, log: {events: string[], head: string} | null}} News */
/** @typedef {News & {title: string, about: string, seen_as: string, start: number, seats: [string, string, string][],
 *   curve: Curve | null}} Content */
/** @typedef {{box: string, parts: number[]}} Picture */
/** @typedef {{due: string, heading: string, words: string, board: Picture, tracks: Picture, legend: Picture,
 *   panels: number[]}} Board */
/** @typedef {{beat: Beat, end: number}} Moment a moment of the story, and the position where it ends */

/** @param {string} packed @returns {Promise<Content>} */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** @param {number[]} before @param {Change} change @param {number[]} names the numbers of what is new @returns {number[]} */
function changed(before, change, names) {
  if (change === 0) return before;
  /** @type {number[]} */
  const after = [];
  for (let i = 0; i < change.length; i += 2) {
    if (change[i] < 0) after.push(names[change[i + 1]]);
    else after.push(...before.slice(change[i], change[i] + change[i + 1]));
  }
  return after;
}

/** The place in a sorted list of the last number that is not beyond one; -1 where all are. */
const floor = (/** @type {number[]} */ sorted, /** @type {number} */ number) => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** Whether a position is on a line. @param {Line} line @param {number} at */
const holds = (line, at) => line.spans.some(([first, last]) => first <= at && at <= last);

/** One line of the game as one seat knew it. */
class Course {
  /** @param {Seen} view @param {Line} line */
  constructor(view, line) {
    this.view = view;
    this.line = line;
    const beats = view.beats.filter(([at]) => this.holds(at));
    /** @type {Moment[]} */
    this.moments = beats.map((beat, number) => ({ beat, end: number + 1 < beats.length ? this.before(beats[number + 1][0]) : line.tip }));
    this.starts = beats.map(([at]) => at);
    /** How many decisions were taken up to each moment. */
    this.decided = [];
    let count = 0;
    for (const [, , , acts] of beats) this.decided.push((count += acts));
  }

  /** Whether a position is on the line. @param {number} at */
  holds(at) {
    return holds(this.line, at);
  }

  /** The position before one on the line. @param {number} at */
  before(at) {
    let last = 0;
    for (const span of this.line.spans) {
      if (span[0] < at && at <= span[1]) return at - 1;
      if (span[0] >= at) break;
      last = span[1];
    }
    return last;
  }

  /** The moment that a position is in. @param {number} at */
  moment(at) {
    return Math.max(0, floor(this.starts, at));
  }

  /** The moments at which something of a kind is. @param {string} what @returns {number[]} */
  targets(what) {
    const told = { decision: 3, note: 4, "take-back": 5 }[what];
    if (told) return this.moments.flatMap(({ beat }, number) => (beat[told] && /** @type {any} */ (beat[told]).length !== 0 ? [number] : []));
    const found = (this.view.targets[what] || []).filter((at) => this.holds(at)).map((at) => this.moment(at));
    return [...new Set(found)];
  }

  /** What began last before a moment, of a level, round or turn, but nothing of a wider part before it. @param {number} now */
  parts(now) {
    const kinds = ["level", "round", "turn"];
    /** @type {string[]} */
    const found = [];
    for (let number = 0; number <= now; number++) {
      const [, text, heading] = this.moments[number].beat;
      const deep = kinds.indexOf(heading);
      if (deep >= 0) found.splice(deep, 3, ...Array(Math.max(0, deep - found.length)).fill(""), text.replace(/\.$/, ""));
    }
    return found.filter(Boolean);
  }
}

/** Texts by number, each once. */
class Texts {
  constructor() {
    /** @type {string[]} */
    this.all = [];
    /** @type {Map<string, number>} */
    this.known = new Map();
  }

  /** Takes in some texts, and returns the numbers they have here. @param {string[]} texts @returns {number[]} */
  take(texts) {
    return texts.map((text) => {
      let number = this.known.get(text);
      if (number === undefined) this.known.set(text, (number = this.all.push(text) - 1));
      return number;
    });
  }
}

/** A game as one seat knew it, as far as the page knows it. */
class Seen {
  /** @param {View} view @param {Texts} texts */
  constructor({ seat, name }, texts) {
    this.seat = seat;
    this.name = name;
    this.texts = texts;
    /** @type {Beat[]} */
    this.beats = [];
    /** @type {Record<string, number[]>} */
    this.targets = {};
    /** @type {string[]} */
    this.lasts = [];
    /** @type {Map<number, Board>} */
    this.boards = new Map();
    /** @type {{rows: any[][], base: number, parts: number[], words: number[]}[]} */
    this.folded = [];
  }

  /**
   * Takes in what is new. What did not change stays the same object.
   * @param {View} view @param {number} base where the board stands that the first of the new ones is told from
   * @param {number[]} parts @param {number[]} words @param {boolean} anew whether all lines are told
   */
  take(view, base, parts, words, anew) {
    const last = this.beats.length ? this.beats[this.beats.length - 1][0] : -1;
    if (view.beats.every(([at]) => at > last)) this.beats.push(...view.beats);
    else {
      const all = new Map(this.beats.map((beat) => [beat[0], beat]));
      for (const beat of view.beats) all.set(beat[0], beat);
      this.beats = [...all.values()].sort(([a], [b]) => a - b);
    }
    this.beats = this.beats.filter(([, text, , , notes, returns]) => text || notes.length || returns.length);
    for (const [what, found] of Object.entries(view.targets)) {
      this.targets[what] = [...(this.targets[what] || []), ...found].sort((a, b) => a - b);
    }
    this.lasts = anew ? view.lasts : [view.lasts[0], ...this.lasts.slice(1)];
    this.folded.push({ rows: view.boards, base, parts, words });
  }

  /** The board at a position where a moment ends. @param {number} at */
  board(at) {
    for (const news of this.folded.splice(0)) this.unfold(news);
    return this.boards.get(at);
  }

  /** @param {{rows: any[][], base: number, parts: number[], words: number[]}} news */
  unfold({ rows, base, parts, words }) {
    const texts = this.texts.all;
    const from = this.boards.get(base);
    let [board, tracks, legend, panels] = from ? [from.board.parts, from.tracks.parts, from.legend.parts, from.panels] : [[], [], [], []];
    for (const [at, due, box, heading, said, onBoard, trackBox, onTracks, legendBox, inLegend, onPanels] of rows) {
      board = changed(board, onBoard, parts);
      tracks = changed(tracks, onTracks, parts);
      legend = changed(legend, inLegend, parts);
      panels = changed(panels, onPanels, parts);
      const text = (/** @type {number} */ number) => texts[words[number]];
      this.boards.set(at, {
        due: text(due), heading: text(heading), words: text(said), board: { box: text(box), parts: board },
        tracks: { box: text(trackBox), parts: tracks }, legend: { box: text(legendBox), parts: legend }, panels,
      });
    }
  }
}

/** All that the page knows of a game. It grows by `append`. */
class Tape {
  /** @param {Content} content */
  constructor({ title, about, seen_as, start, seats, curve, ...news }) {
    this.title = title;
    this.about = about;
    this.seenAs = seen_as;
    this.start = start;
    this.seats = seats;
    this.curve = curve;
    this.parts = new Texts();
    this.texts = new Texts();
    /** @type {Seen[]} */
    this.views = [];
    /** @type {Line[]} the one the game is on first */
    this.lines = [];
    /** @type {{events: string[], head: string} | null} */
    this.log = null;
    /** The last position of the log that is known. */
    this.upto = -1;
    this.over = false;
    this.ending = "";
    this.append(news);
  }

  /**
   * Takes in what is new since a position, as `news` of warptape.projections.page.news gives it.
   * @param {News} news @returns {boolean} false where it does not follow on what is known, and was not taken in
   */
  append(news) {
    if (news.since >= 0 && news.since !== this.upto) return false;
    if (news.since < 0) [this.views, this.lines, this.log] = [[], [], null];
    const base = this.lines.length ? this.lines[0].tip : -1;
    const [parts, words] = [this.parts.take(news.parts), this.texts.take(news.texts)];
    for (const view of news.views) {
      let seen = this.views.find(({ seat }) => seat === view.seat);
      if (!seen) this.views.push((seen = new Seen(view, this.texts)));
      seen.take(view, base, parts, words, news.anew);
    }
    this.lines = news.anew ? news.lines : [news.lines[0], ...this.lines.slice(1)];
    if (news.log) this.log = { events: (this.log?.events ?? []).concat(news.log.events), head: news.log.head };
    [this.upto, this.over, this.ending] = [news.upto, news.over, news.ending];
    return true;
  }
}
