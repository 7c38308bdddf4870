import { commandLinks, commandReference } from './commands.mjs';
import { operationTable } from './operations.mjs';

/** docs/reference.md: all commands and options of the program, and all operations of the library. */
export const referencePage = (program, endpoints) => `# Reference

<!-- Derived by scripts/reference.mjs. Do not edit; run: npm run reference -->

All commands with their options, and all API operations. The program prints the same texts with
\`colloquy <command> --help\`; \`colloquy --help --json\` prints them as JSON.

- [Commands](#commands): ${commandLinks(program)}
- [Options of every command](#options-of-every-command)
- [API operations](#api-operations)

## Commands

${commandReference(program).trim()}

## API operations

The server implements these operations, and the library has one method for each:
\`client.discussions.issue.list({ id, noteable_id })\`. The OpenAPI document of the server lists their parameters:
\`GET /-/openapi.json\`.

${operationTable(endpoints)}
`;
