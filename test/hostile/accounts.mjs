/** Commands that check the service and the account. */
import { fails, unavailable } from './judge.mjs';
import { json, replies, repliesAndCloses, response } from './server.mjs';

const refusal = response('502 Bad Gateway', { 'content-type': 'text/html' }, '<h1>502</h1>');
const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';

/** The server at the address, and a pattern that the output must match. */
const places = {
  'a service that responds with 101': [{ server: replies(switching) }, /101/],
  'a service that never responds': [{ server: (socket) => socket.resume(), waits: true }, /time/],
  'a login page': [{ server: replies(response('200 OK', { 'content-type': 'text/html' }, '<html>')) }, /HTML|service/],
  'a service that responds with null': [{ server: replies(json('200 OK', null)) }, /null|service/],
  'a proxy that refuses CONNECT': [{ over: 'https', proxy: repliesAndCloses(refusal) }, /502/],
  'a proxy that closes on CONNECT': [{ over: 'https', proxy: repliesAndCloses('') }, /proxy/],
};

const each = (command, expectation) => Object.entries(places).map(([name, [place, says]]) => ({
  name: `${command} at ${name}`, command, clients: ['program'], ...place, ...expectation(says),
}));

export const accounts = [
  ...each('login', (says) => ({ expect: unavailable(says) })),
  ...each('doctor', (says) => ({
    expect: fails([1, 10]), check: (_, { out }) => says.test(out) ? null : `stdout lacks ${says}`,
  })),
];
