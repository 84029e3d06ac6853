"use strict";
// The game as the page holds it: unpacked, its lines as rows of moments, its boards put together step by step.

/** @typedef {0 | number[]} Change */
/** @typedef {[number, string, string, number, string[], string[]]} Beat position, text, heading, acts, notes, take-backs */
/** @typedef {{seat: string, name: string, beats: Beat[], boards: any[][], targets: Record<string, number[]>,
 *   lasts: string[]}} View */
/** @typedef {{tip: number, spans: [number, number][], depth: number, parts: number, decisions: number, own: number,
 *   outcome: string, left: string}} Line */
/** @typedef {{seats: string[], points: [number, [number, number, number][]][], playouts: number,
 *   luck: [number, string][], choices: [number, string][]}} Curve */
/** @typedef {{title: string, about: string, ending: string, seen_as: string, start: number, over: boolean,
 *   seats: [string, string, string][], views: View[], lines: Line[], parts: string[], texts: string[],
 *   curve: Curve | null, log: {events: string[], head: string} | null}} Content */
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

/** @param {number[]} before @param {Change} change @returns {number[]} */
function changed(before, change) {
  if (change === 0) return before;
  /** @type {number[]} */
  const after = [];
  for (let i = 0; i < change.length; i += 2) {
    if (change[i] < 0) after.push(change[i + 1]);
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
  /** @param {View} view @param {Line} line */
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
    if (what === "decision") return this.moments.flatMap(({ beat }, number) => (beat[3] ? [number] : []));
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

/** The boards of a view by the position where a moment ends. */
class Boards {
  /** @param {View} view @param {string[]} texts */
  constructor(view, texts) {
    /** @type {Map<number, Board>} */
    this.at = new Map();
    /** @type {number[][]} */
    let [board, tracks, legend, panels] = [[], [], [], []];
    for (const [at, due, box, heading, words, onBoard, trackBox, onTracks, legendBox, inLegend, onPanels] of view.boards) {
      board = changed(board, onBoard);
      tracks = changed(tracks, onTracks);
      legend = changed(legend, inLegend);
      panels = changed(panels, onPanels);
      this.at.set(at, {
        due: texts[due], heading: texts[heading], words: texts[words], board: { box: texts[box], parts: board },
        tracks: { box: texts[trackBox], parts: tracks }, legend: { box: texts[legendBox], parts: legend }, panels,
      });
    }
  }
}
