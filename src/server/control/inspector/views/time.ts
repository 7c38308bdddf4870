/** As the page shows times: in UTC, without milliseconds. */
export const time = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
