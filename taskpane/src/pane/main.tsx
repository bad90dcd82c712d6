/** The page that Word opens: finds its document, opens a session on it, shows the pane. */

import { render } from "preact";
import type { ComponentChildren } from "preact";

import type { DocumentHost } from "../host/host";
import { t } from "../i18n/t";
import { Api, pageToken, socketUrl } from "../session/api";
import { Session } from "../session/session";
import { Spinner } from "../ui/icons";
import { mountPane } from "../ui/pane";
import { followOfficeTheme, surroundings } from "./office";

import "../ui/tokens.css";
import "../ui/base.css";
import "./pane-page.css";

/** After this long without an answer the user is told; an answer that comes later still wins. */
const PATIENCE_MS = 5_000;

async function main(root: HTMLElement): Promise<void> {
  show(root, <Waiting text={t("office.waiting")} />);
  const timer = setTimeout(() => show(root, <Slow />), PATIENCE_MS);
  try {
    const found = await surroundings();
    clearTimeout(timer);
    if (found === "word") await openDocument(root);
    else show(root, <NoWord />);
  } catch (error) {
    clearTimeout(timer);
    console.error(error);
    show(root, <Slow />);
  }
}

async function openDocument(root: HTMLElement): Promise<void> {
  followOfficeTheme();
  show(root, <Waiting text={t("office.opening")} />);
  try {
    const { WordHost } = await import("../word/word-host");
    const session = await openSession(new WordHost());
    render(null, root);
    mountPane(root, { session });
    session.start();
  } catch (error) {
    console.error(error);
    const reason = error instanceof Error ? error.message : "";
    show(root, <Failed reason={reason || t("problem.unreachable")} />);
  }
}

async function openSession(host: DocumentHost): Promise<Session> {
  if (!host.live) throw new Error("the host holds no document");
  const token = pageToken();
  const api = new Api(token);
  const { session } = await api.openDocument(host.live.name, await host.live.read());
  return new Session(session, host, api, { url: socketUrl(), token });
}

function show(root: HTMLElement, notice: ComponentChildren): void {
  render(notice, root);
}

function Waiting({ text }: { text: string }) {
  return (
    <main class="notice">
      <h1 class="visually-hidden">{t("app.name")}</h1>
      <p class="waiting" role="status">
        <Spinner />
        {text}
      </p>
    </main>
  );
}

function NoWord() {
  return (
    <main class="notice">
      <h1>{t("office.none.title")}</h1>
      <p>{t("office.none.text")}</p>
      <a class="button primary" href="/">
        {t("office.none.link")}
      </a>
    </main>
  );
}

function Slow() {
  return (
    <main class="notice">
      <h1>{t("office.slow.title")}</h1>
      <p role="alert">{t("office.slow.text")}</p>
      <RetryButton />
    </main>
  );
}

function Failed({ reason }: { reason: string }) {
  return (
    <main class="notice">
      <h1>{t("office.failed.title")}</h1>
      <p role="alert">{t("office.failed.text", { reason })}</p>
      <RetryButton />
    </main>
  );
}

function RetryButton() {
  return (
    <button type="button" class="button primary" onClick={() => location.reload()}>
      {t("office.slow.retry")}
    </button>
  );
}

const root = document.getElementById("app");
if (root) void main(root);
