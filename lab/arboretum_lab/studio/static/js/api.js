// @ts-check
/** Talks to the server. A token, kept by this browser, says which seats are ours. */

const TOKEN = "arboretum.token";

/** What the server refuses, in its words. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 when the server could not be reached
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @returns {Promise<string>} */
async function token() {
  const kept = localStorage.getItem(TOKEN);
  if (kept) return kept;
  const answer = await send("POST", "/api/session", undefined, null);
  const { token: fresh } = await answer.json();
  // Another tab may have been faster: then its token is the one to share.
  const other = localStorage.getItem(TOKEN);
  if (other) return other;
  localStorage.setItem(TOKEN, fresh);
  return fresh;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {string|null} bearer
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function send(method, path, body, bearer, signal) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (problem) {
    if (signal?.aborted) throw problem;
    throw new ApiError(0, "unreachable", "The studio's server does not answer. Is it still running?");
  }
  if (!answer.ok) throw await errorOf(answer);
  return answer;
}

/**
 * @param {Response} answer
 * @returns {Promise<ApiError>}
 */
async function errorOf(answer) {
  try {
    const { error } = await answer.json();
    return new ApiError(answer.status, String(error.code), String(error.message));
  } catch {
    return new ApiError(answer.status, "unknown", `The server answered ${answer.status}.`);
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function authorised(method, path, body, signal) {
  const bearer = await token();
  try {
    return await send(method, path, body, bearer, signal);
  } catch (problem) {
    // A server with another data folder does not know our token: begin anew, once.
    if (!(problem instanceof ApiError) || problem.status !== 401) throw problem;
    if (localStorage.getItem(TOKEN) === bearer) localStorage.removeItem(TOKEN);
    return send(method, path, body, await token(), signal);
  }
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the JSON that the server answers
 */
export async function get(path, signal) {
  return (await authorised("GET", path, undefined, signal)).json();
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the JSON that the server answers
 */
export async function post(path, body = {}, signal) {
  return (await authorised("POST", path, body, signal)).json();
}

/**
 * @param {string} path
 * @returns {Promise<any>} the JSON that the server answers
 */
export async function remove(path) {
  return (await authorised("DELETE", path, undefined)).json();
}

/**
 * @param {string} path
 * @returns {Promise<string>} a text that the server answers
 */
export async function text(path) {
  return (await authorised("GET", path, undefined)).text();
}

/**
 * Saves what the server answers as a file.
 *
 * @param {string} path
 * @param {string} filename
 * @param {unknown} [body] posted when given
 */
export async function download(path, filename, body) {
  const answer = await authorised(body === undefined ? "GET" : "POST", path, body);
  saveFile(filename, await answer.blob());
}

/**
 * @param {string} filename
 * @param {Blob} blob
 */
export function saveFile(filename, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
