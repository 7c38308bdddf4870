import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../io/messages.js';
import { safeAddress } from '../io/style.js';

/** @param message one line for stderr: `added note 5 to mr/1` @param address null if it is unknown */
export type PrintChange<T> = (message: string, record: T, address: string | null) => Promise<void>;

/** On a terminal the message and the address (none in the sandbox), else, or in a given format, the record. */
export const changePrinter = <T>(
  app: App, flags: GlobalFlags, printRecord: (record: T) => Promise<void>,
): PrintChange<T> =>
  async (message, record, address) => {
    await say(app, flags, message);
    if (!isBrief(app, flags)) return printRecord(record);
    const safe = address === null || flags.sandbox ? null : safeAddress(address);
    if (safe !== null) await app.out.write(`${safe}\n`);
  };

export const isBrief = ({ out }: App, { output, json, jq }: GlobalFlags): boolean =>
  out.isTerminal && output === undefined && json === undefined && jq === undefined;
