/** The two tables of docs/performance.md, computed from the cost of one request. */
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(line).join('\n');

/** Cores for 10,000 requests per second, from the microseconds of one request. */
const cores = (micros) => (micros / 100).toFixed(1);

/**
 * The measured costs.
 * @param rows for each workload its title, the rates on a file and on PostgreSQL, the ratio of two processes to one,
 *   the microseconds of processor time in the server and in PostgreSQL, and the bytes of log
 */
export const costTable = (rows) => table(
  ['Request', 'SQLite, one process', 'PostgreSQL, one process', 'Two processes / one', 'Time in the server',
    'Time in PostgreSQL', 'Server cores', 'PostgreSQL cores', 'Log'],
  rows.map(({ title, onFile, onOne, ratio, server, base, log }) => [
    title, onFile.toFixed(0), onOne.toFixed(0), ratio.toFixed(2), `${server} µs`, `${base} µs`,
    cores(server), cores(base), `${log.toFixed(0)} bytes`,
  ]));

/** The number of requests of each workload out of 10,000, in the order of the first table. */
const mixes = {
  'pages of one thread, cached': [[0, 10_000], 'network: 20 MB/s'],
  'pages of 20 threads, cached': [[10_000], 'network: 400 MB/s (3.2 Gbit/s), which is the limit'],
  'pages of 20 threads, not cached': [[0, 0, 10_000], 'network: 400 MB/s'],
  'new threads': [[0, 0, 0, 10_000], 'disk: 14 MB/s of log and 12 MB/s of tables, 1 TB a day'],
  '8,000 cached pages, 1,000 pages that are not cached, 1,000 new threads':
    [[8_000, 0, 1_000, 1_000], 'network: 360 MB/s'],
};

/** The resources for 10,000 requests per second, with every process below 70 % of a core. */
export const needTable = (costs) => table(
  ['10,000 requests/s', 'Server cores', 'Processes', 'Connections', 'PostgreSQL cores', 'Also needed'],
  Object.entries(mixes).map(([name, [mix, beside]]) => {
    const [servers, bases] = ['server', 'base'].map((place) =>
      mix.reduce((sum, count, i) => sum + count * costs[i][place] / 1e6, 0));
    const processes = Math.ceil(servers / 0.7);
    return [name, servers.toFixed(1), processes, processes * 10, bases.toFixed(1), beside];
  }));
