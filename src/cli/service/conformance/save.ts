import type { Imitation } from '../../../contract/imitation.js';
import type { FactResult } from '../../../conformance/run.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { writingTo } from '../../terminal/io/streams.js';
import { yamlText } from '../../terminal/output/yaml.js';
import type { RecordedExamination } from './examination.js';

/** Writes what was found as a file for `serve --like`. @throws Problem if it cannot be written */
export const saveImitation = async (
  app: App, flags: GlobalFlags, path: string, examination: RecordedExamination, results: readonly FactResult[],
): Promise<void> => {
  const { probe: { dialect }, version, tier, address } = examination;
  const imitation: Imitation = {
    dialect, ...version !== null && { service_version: version }, ...tier !== null && { tier },
    ...examination.imitation(results),
  };
  const today = app.now().toISOString().slice(0, 10);
  const text = `# The instance at ${address}, as colloquy conformance found it on ${today}.\n`
    + `# colloquy serve --like imitates it.\n${yamlText(imitation)}`;
  await writingTo(path, () => app.files.write(path, text));
  const { not_imitated: others = [] } = imitation;
  const rest = others.length === 0 ? '' : `; ${counted(others.length, 'difference')} cannot be imitated`;
  await say(app, flags, `saved ${path}${rest}`);
};
