import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../io/messages.js';
import { safeAddress } from '../io/style.js';

/**
 * Prints the outcome of a write.
 * @param message one line for stderr: `added note 5 to mr/1`
 * @param address the web address of the result; null if it is unknown
 */
export type PrintChange<T> = (message: string, record: T, address: string | null) => Promise<void>;

/**
 * Creates a printer for the outcome of a write: on a terminal the message and the web address, elsewhere and in a
 * given format the record. Nothing in the sandbox has an address.
 * @param printRecord prints the record
 */
export const changePrinter = <T>(
  app: App, flags: GlobalFlags, printRecord: (record: T) => Promise<void>,
): PrintChange<T> =>
  async (message, record, address) => {
    await say(app, flags, message);
    if (!isBrief(app, flags)) return printRecord(record);
    const safe = address === null || flags.sandbox ? null : safeAddress(address);
    if (safe !== null) await app.out.write(`${safe}\n`);
  };

/** Whether a write prints its web address instead of the record. */
export const isBrief = ({ out }: App, { output, json, jq }: GlobalFlags): boolean =>
  out.isTerminal && output === undefined && json === undefined && jq === undefined;
