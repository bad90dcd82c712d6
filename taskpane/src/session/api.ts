/** The server's HTTP side: documents in and out. Bytes never go over the socket. */

import type {
  AttachmentView,
  BlocksView,
  DocumentOpened,
  HttpProblem,
  SampleView,
} from "./messages";

/** What the server said, or that it could not be reached (`code` "UNREACHABLE"). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** The token that the server wrote into the page; other origins cannot read the page, so they cannot have it. */
export function pageToken(page: Document = document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="stet-token"]')?.content ?? "";
}

/** Address of the session socket beside this page. */
export function socketUrl(location: Location = window.location): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/api/session`;
}

export class Api {
  constructor(private readonly token: string) {}

  samples(): Promise<SampleView[]> {
    return this.#json("GET", "/api/samples");
  }

  openSample(id: string): Promise<DocumentOpened> {
    return this.#json("POST", `/api/samples/${encodeURIComponent(id)}`);
  }

  openDocument(name: string, bytes: Blob | Uint8Array): Promise<DocumentOpened> {
    return this.#json("POST", `/api/documents?name=${encodeURIComponent(name)}`, bytes);
  }

  blocks(session: string): Promise<BlocksView> {
    return this.#json("GET", `${this.documentPath(session)}/blocks`);
  }

  /** Give along a picture; the answer says what it is called from now on. */
  attach(session: string, name: string, picture: Blob): Promise<AttachmentView> {
    return this.#json("POST", this.#attachment(session, name), picture);
  }

  async detach(session: string, name: string): Promise<void> {
    await this.#request("DELETE", this.#attachment(session, name));
  }

  /** Word only: the document as it is now, before the message `reading` that names it. */
  async sendReading(session: string, bytes: Uint8Array): Promise<void> {
    await this.#request("POST", `${this.documentPath(session)}/reading`, bytes);
  }

  async document(session: string): Promise<{ revision: number; bytes: ArrayBuffer }> {
    const response = await this.#request("GET", this.documentPath(session));
    const revision = Number(response.headers.get("X-Stet-Revision"));
    return { revision, bytes: await response.arrayBuffer() };
  }

  /** Where the document can be downloaded; a plain link cannot send a header, so the session id is the key. */
  documentPath(session: string): string {
    return `/api/documents/${encodeURIComponent(session)}`;
  }

  #attachment(session: string, name: string): string {
    return `${this.documentPath(session)}/attachments?name=${encodeURIComponent(name)}`;
  }

  async #json<T>(method: string, path: string, body?: Blob | Uint8Array): Promise<T> {
    const response = await this.#request(method, path, body);
    return (await response.json()) as T;
  }

  async #request(method: string, path: string, body?: Blob | Uint8Array): Promise<Response> {
    const headers: Record<string, string> = { "X-Stet-Token": this.token };
    // The server goes by the bytes, of documents and pictures alike.
    if (body) headers["Content-Type"] = "application/octet-stream";
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers,
        cache: "no-store",
        ...(body ? { body: body as BodyInit } : {}),
      });
    } catch {
      throw new ApiError("UNREACHABLE", "");
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }
}

async function problemOf(response: Response): Promise<ApiError> {
  try {
    const { code, message } = (await response.json()) as HttpProblem;
    return new ApiError(code, message);
  } catch {
    return new ApiError("UNEXPECTED", `${response.status} ${response.statusText}`);
  }
}

/** SHA-256 of a document in hexadecimal, as the message `reading` names it. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as BufferSource);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
