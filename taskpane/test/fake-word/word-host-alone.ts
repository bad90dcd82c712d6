/** The Word host without the pane, for tests of the two together. */
import { sameText } from "../../src/word/blocks";
import { readBody } from "../../src/word/body";
import { WordHost } from "../../src/word/word-host";

/** Where the pane's reading of the body and `texts` differ, as sentences; none if they are the same. */
async function differences(texts: string[]): Promise<string[]> {
  const { blocks } = await Word.run(readBody);
  const found = blocks.map((block) => block.text);
  const wrong = texts.flatMap((text, at) => {
    const other = found[at];
    return other !== undefined && sameText(text, other)
      ? []
      : [`${at}: '${text}', Word has '${other}'`];
  });
  return found.length === texts.length ? wrong : [`${found.length} blocks in Word`, ...wrong];
}

Object.assign(window, { WordHost, differences });
