/** The `Office` namespace: what `taskpane.html` and the Word host ask of it. */

import type { OpenDocument } from "./document";

type Done = (result: {
  status: string;
  value?: unknown;
  error?: { code: number; message: string };
}) => void;

const SLICE_LIMIT = 4_194_304;
const FILE_LIMIT = 2;

/** What a test wants to know of the Common API. */
export interface OfficeRecord {
  /** Files that `getFileAsync` gave and nobody closed. */
  openFiles: number;
  opened: string[];
  /** What the next file is like: whole, refused, or cut short. */
  nextFile: "whole" | "refused" | "cut";
  handlers: Set<() => void>;
}

export function officeNamespace(
  document: OpenDocument,
  record: OfficeRecord,
  ready: Promise<void>,
): unknown {
  const succeeded = (done: Done | undefined, value?: unknown) =>
    setTimeout(() => done?.({ status: "succeeded", value }));
  const failed = (done: Done, code: number, message: string) =>
    setTimeout(() => {
      done({ status: "failed", error: { code, message } });
    });

  const getFileAsync = (_type: string, options: { sliceSize: number }, done: Done): void => {
    if (options.sliceSize > SLICE_LIMIT) {
      failed(done, 5001, "Internal Error");
      return;
    }
    if (record.openFiles >= FILE_LIMIT || record.nextFile === "refused") {
      record.nextFile = "whole";
      failed(done, 11001, "The file could not be read.");
      return;
    }
    record.openFiles++;
    void document.parts.toDocx().then((whole) => {
      const bytes = record.nextFile === "cut" ? whole.slice(0, whole.length >> 1) : whole;
      record.nextFile = "whole";
      const { sliceSize } = options;
      let open = true;
      succeeded(done, {
        size: whole.length,
        sliceCount: Math.ceil(whole.length / sliceSize),
        getSliceAsync: (index: number, got: Done) => {
          if (!open) {
            failed(got, 5001, "Internal Error");
            return;
          }
          const data = [...bytes.slice(index * sliceSize, (index + 1) * sliceSize)];
          succeeded(got, { index, data, size: data.length });
        },
        closeAsync: (closed?: Done) => {
          if (open) record.openFiles--;
          open = false;
          succeeded(closed);
        },
      });
    });
  };

  return {
    onReady: async (callback?: (info: object) => void) => {
      await ready;
      const info = { host: "Word", platform: "PC" };
      callback?.(info);
      return info;
    },
    HostType: { Word: "Word" },
    PlatformType: { PC: "PC", Mac: "Mac", iOS: "iOS", OfficeOnline: "OfficeOnline" },
    FileType: { Compressed: "compressed" },
    AsyncResultStatus: { Succeeded: "succeeded", Failed: "failed" },
    EventType: { DocumentSelectionChanged: "documentSelectionChanged" },
    context: {
      host: "Word",
      platform: "PC",
      displayLanguage: "en-US",
      contentLanguage: "en-US",
      officeTheme: {
        isDarkTheme: false,
        bodyBackgroundColor: "#ffffff",
        bodyForegroundColor: "#000000",
        controlBackgroundColor: "#ffffff",
        controlForegroundColor: "#000000",
      },
      diagnostics: { host: "Word", platform: "PC", version: "16.0.0.0" },
      requirements: {
        isSetSupported: (name: string, version = "1.1") =>
          name === "WordApi" ? Number(version) <= 1.3 : name === "OpenBrowserWindowApi",
      },
      ui: { openBrowserWindow: (url: string) => record.opened.push(url) },
      document: {
        url: "C:\\Users\\someone\\Quarterly%20report.docx",
        getFileAsync,
        addHandlerAsync: (_type: string, handler: () => void) => record.handlers.add(handler),
        removeHandlerAsync: (_type: string, { handler }: { handler: () => void }) =>
          record.handlers.delete(handler),
      },
    },
  };
}
