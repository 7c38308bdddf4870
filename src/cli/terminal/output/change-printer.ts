import type { App, Output } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../io/messages.js';
import { safeAddress } from '../io/style.js';

/** @param message one line for stderr: `added note 5 to mr/1` @param address null if it is unknown */
export type PrintChange<T> = (message: string, record: T, address: string | null) => Promise<void>;

/**
 * On a terminal the message and the address (none in the sandbox). Else, or in a given format, the record, and on
 * stderr the address unless the message or what was printed of the record has it.
 */
export const changePrinter = <T>(
  app: App, flags: GlobalFlags, printerOn: (app: App) => (record: T) => Promise<void>,
): PrintChange<T> => {
  const { out, printed } = notedOutput(app.out);
  const printRecord = printerOn({ ...app, out });
  return async (message, record, address) => {
    const safe = address === null || flags.sandbox ? null : safeAddress(address);
    await say(app, flags, message);
    if (isBrief(app, flags)) {
      if (safe !== null) await app.out.write(`${safe}\n`);
      return;
    }
    await printRecord(record);
    const isShown = safe === null || `${message}\n${printed()}`.includes(safe);
    if (!isShown && !flags.quiet && !isService(app, safe)) await app.err.write(`${safe}\n`);
  };
};

/** The appearance is everywhere on the service. */
const isService = ({ activity }: App, address: string): boolean =>
  activity.service !== null && address.replace(/\/$/, '') === activity.service.replace(/\/$/, '');

const notedOutput = (out: Output): { readonly out: Output; readonly printed: () => string } => {
  let printed = '';
  const write = async (text: string) => {
    printed += text;
    await out.write(text);
  };
  return { out: { ...out, write }, printed: () => printed };
};

export const isBrief = ({ out }: App, { output, json, jq }: GlobalFlags): boolean =>
  out.isTerminal && output === undefined && json === undefined && jq === undefined;
