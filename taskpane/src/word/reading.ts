/**
 * The whole document as a .docx: `Office.context.document.getFileAsync` (Common API, sets File and CompressedFile).
 *
 * What comes is Word's memory written anew, with unsaved edits; protection and add-in settings are missing from it
 * (office-js issues 6031, 6434), so it is for reading and never offered as the user's file.
 */

/** Largest slice that Word serves; a larger request is an "Internal Error". On an iPad the limit is 64 KB. */
const SLICE = 4 * 1024 * 1024;
const SLICE_IPAD = 64 * 1024;

/** Bytes of the open document. Rejects with a sentence if Word does not give them. */
export async function readDocument(): Promise<Uint8Array> {
  const file = await getFile();
  try {
    const bytes = new Uint8Array(file.size);
    let filled = 0;
    for (let index = 0; index < file.sliceCount; index++) {
      const slice = await getSlice(file, index);
      bytes.set(slice, filled);
      filled += slice.length;
    }
    if (filled !== file.size || bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
      // Word on the web has answered with stale or cut files (issues 640, 6747): better no reading than a wrong one.
      throw new Error("Word gave something that is not a whole document.");
    }
    return bytes;
  } finally {
    await close(file); // at most two files may be open, and nothing but this closes one
  }
}

function getFile(): Promise<Office.File> {
  const sliceSize = Office.context.platform === Office.PlatformType.iOS ? SLICE_IPAD : SLICE;
  return settled((done) => {
    Office.context.document.getFileAsync(Office.FileType.Compressed, { sliceSize }, done);
  });
}

async function getSlice(file: Office.File, index: number): Promise<number[]> {
  const slice = await settled<Office.Slice>((done) => {
    file.getSliceAsync(index, done);
  });
  return slice.data as number[];
}

function close(file: Office.File): Promise<void> {
  return new Promise((resolve) => {
    file.closeAsync(() => {
      resolve();
    });
  });
}

/** The outcome of a Common API call as a promise. */
function settled<T>(call: (done: (result: Office.AsyncResult<T>) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((result) => {
      if (result.status === Office.AsyncResultStatus.Succeeded) resolve(result.value);
      else reject(new Error(`Word could not give the document: ${result.error.message}`));
    });
  });
}
