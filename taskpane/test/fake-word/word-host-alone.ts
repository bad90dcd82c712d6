/** The Word host without the pane, for tests of the two together. */
import { WordHost } from "../../src/word/word-host";

Object.assign(window, { WordHost });
