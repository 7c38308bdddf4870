import { jsonOrNull } from '../wire/json.js';
import { readExchanges, type RecordedExchange } from './exchange.js';
import { exchangesOf, isArchive } from './har.js';

/** A recording, or an HTTP archive (HAR). @param source the name of the text in errors @throws RecordingError */
export const readRecording = (text: string, source: string): readonly RecordedExchange[] => {
  const archive = /^\s*\{\s*"log"/.test(text) ? jsonOrNull(text) : null;
  return isArchive(archive) ? exchangesOf(archive.log.entries, source) : readExchanges(text, source);
};
