/** A node:http server that always responds with the same bytes. Arguments: a file with the body, headers as JSON. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, headers] = process.argv.slice(2);
const body = readFileSync(file);
const server = createServer((_, response) => response.writeHead(200, JSON.parse(headers)).end(body));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
