"use strict";
// The line to the server: requests with the token, made again until they are answered, and the stream of what happens.

/** @typedef {{code: string, message: string, refusal?: {rule: string, reason: string}, possible?: string[], text?: string,
 *   column?: number, expected?: number, actual?: number}} Problem */
/** @typedef {{event: string, data: any, id: string}} Heard */

const FIRST = 400;
const LONGEST = 8000;
/** Milliseconds without a sign of life after which a stream is taken for dead: the server gives one every 15 seconds. */
const SILENCE = 40000;

const sleep = (/** @type {number} */ millis) => new Promise((done) => { setTimeout(done, millis); });

/** A word that nobody else has: the same request again under it is done once. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(18))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the server refused. */
class Refused extends Error {
  /** @param {number} status @param {Problem} problem */
  constructor(status, problem) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }
}

/** The line to the server for one token. `told` hears whether it is up, and which sentence says why it is not. */
class Wire {
  /** @param {string} token @param {(up: boolean, why: string) => void} told */
  constructor(token, told) {
    this.token = token;
    this.told = told;
    this.up = true;
    this.closed = false;
  }

  /** @param {boolean} up @param {string} [why] */
  mark(up, why = "") {
    if (!this.closed && (up !== this.up || !up)) this.told(up, why);
    this.up = up;
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /**
   * Asks, and asks again until there is an answer: what changes a game carries a key, and is done once.
   * @param {string} path below /v1 @param {any} [body] what is sent; without it this is a GET
   * @returns {Promise<any>} the answer as JSON; throws Refused
   */
  async ask(path, body) {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const headers = { ...this.headers, ...(sent === undefined ? {} : { "Content-Type": "application/json" }) };
    for (let wait = FIRST; ; wait = Math.min(2 * wait, LONGEST)) {
      let why = "";
      try {
        const answer = await fetch(`/v1${path}`, {
          method: sent === undefined ? "GET" : "POST", headers, body: sent, cache: "no-store", redirect: "error", credentials: "omit",
        });
        const found = await answer.json();
        if (answer.ok) {
          this.mark(true);
          return found;
        }
        if (![429, 502, 503, 504].includes(answer.status)) throw new Refused(answer.status, found);
        why = found.message;
        wait = Math.max(wait, 1000 * Number(answer.headers.get("Retry-After") ?? 0));
      } catch (error) {
        if (error instanceof Refused) {
          this.mark(true);
          throw error;
        }
      }
      if (this.closed) return new Promise(() => {});
      this.mark(false, why);
      await sleep(wait);
    }
  }

  /**
   * Hears what happens in a game, from a position on, and hears it again when the line was down; throws Refused.
   * @param {string} game @param {() => number} after the last position that is known @param {(heard: Heard) => void} hear
   */
  async follow(game, after, hear) {
    for (let wait = FIRST; !this.closed; wait = Math.min(2 * wait, LONGEST)) {
      const silent = new AbortController();
      let alive = setTimeout(() => silent.abort(), SILENCE);
      try {
        const known = after();
        const headers = { ...this.headers, ...(known < 0 ? {} : { "Last-Event-ID": `${known}` }) };
        const answer = await fetch(`/v1/games/${game}/events${known < 0 ? "?after=-1" : ""}`, {
          headers, cache: "no-store", redirect: "error", credentials: "omit", signal: silent.signal,
        });
        if (!answer.ok || !answer.body) {
          const found = await answer.json();
          if ([401, 403, 404].includes(answer.status)) throw new Refused(answer.status, found);
          throw new Error(found.message);
        }
        this.mark(true);
        hear({ event: "open", data: null, id: "" });
        const reader = answer.body.getReader();
        const decoder = new TextDecoder();
        let text = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          clearTimeout(alive);
          alive = setTimeout(() => silent.abort(), SILENCE);
          wait = FIRST;
          text += decoder.decode(value, { stream: true });
          const parts = text.split("\n\n");
          text = parts.pop() ?? "";
          for (const part of parts) {
            const heard = read(part);
            if (heard) hear(heard);
          }
        }
      } catch (error) {
        if (error instanceof Refused) throw error;
        this.mark(false, error instanceof Error && error.name === "Error" ? error.message : "");
      } finally {
        clearTimeout(alive);
      }
      await sleep(wait);
    }
  }

  /** Ends it. */
  close() {
    this.closed = true;
  }
}

/** One server-sent event; null for a comment. @param {string} part @returns {Heard | null} */
function read(part) {
  const heard = { event: "message", data: /** @type {any} */ (null), id: "" };
  for (const line of part.split("\n")) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === "event") heard.event = value;
    if (name === "id") heard.id = value;
    if (name === "data") heard.data = JSON.parse(value);
  }
  return heard.data === null ? null : heard;
}
