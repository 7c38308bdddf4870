/** A table of ordinary tools: the command that writes a report, the format, what is in it, and the exit codes. */
export const toolTable = (tools) => [
  '| Tool | Command | `--from` | Finds nothing | Exit code with findings | After a failure |',
  '|---|---|---|---|---|---|',
  ...tools.map(({ name, command, from, clean, found, failed }) =>
    `| ${[name, code(command), code(from), clean, found, failed].join(' | ')} |`),
].join('\n');

const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;
