/**
 * A service that costs almost nothing, in its own process: it responds to every POST with a note, to GETs with the
 * appearance, the user, or pages of threads. Prints its URL. Arguments: latency in milliseconds, number of threads
 * (default 5,000), and the number up to which it reports totals (default 10,000).
 */
import { createServer } from 'node:http';

const delay = Number(process.argv[2] ?? 0);
const threads = Number(process.argv[3] ?? 5_000);
const longestCounted = Number(process.argv[4] ?? 10_000);

const user = {
  id: 1, name: 'Administrator', username: 'root', state: 'active',
  avatar_url: 'http://127.0.0.1/a.png', web_url: 'http://127.0.0.1/root',
};
const note = (id) => ({
  id, type: 'DiscussionNote', body: `Note number ${id}, of a length that notes have.`, attachment: null, author: user,
  created_at: '2024-05-01T09:00:00.000Z', updated_at: '2024-05-01T09:00:00.000Z', system: false, noteable_id: 12,
  noteable_type: 'Merge request', noteable_iid: null, resolvable: true, resolved: false, resolved_by: null,
});
const thread = (index) => ({
  id: index.toString(16).padStart(40, '0'), individual_note: false, notes: [1, 2, 3].map((n) => note(index * 3 + n)),
});

const texts = Array.from({ length: threads }, (_, index) => JSON.stringify(thread(index)));
const posted = JSON.stringify(thread(0));

/** By the end of the path; @gitbeaker/cli spells one of them differently. */
const single = {
  user,
  appearance: {
    title: 'Service', description: 'What the **sign in** page says.', logo: null, header_logo: null, favicon: null,
    new_project_guidelines: '', profile_image_guidelines: '', header_message: 'Maintenance tonight', footer_message: '',
    message_background_color: '#8b1f2b', message_font_color: '#ffffff', email_header_and_footer_enabled: false,
  },
};
single.appearence = single.appearance;

const page = (url) => {
  const number = Number(url.searchParams.get('page') ?? 1);
  const size = Math.min(Number(url.searchParams.get('per_page') ?? 20), 100);
  const pages = Math.ceil(threads / size);
  const next = number < pages ? number + 1 : '';
  const links = next === '' ? '' : `<http://${url.host}${url.pathname}?page=${next}&per_page=${size}>; rel="next"`;
  return {
    headers: {
      'x-page': number, 'x-per-page': size, 'x-next-page': next, 'x-prev-page': number > 1 ? number - 1 : '',
      ...(threads <= longestCounted && { 'x-total': threads, 'x-total-pages': pages }), link: links,
    },
    body: `[${texts.slice((number - 1) * size, number * size).join(',')}]`,
  };
};

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const url = new URL(request.url, `http://${request.headers.host}`);
    const one = single[url.pathname.split('/').at(-1)];
    const { headers, body } = request.method !== 'GET' ? { headers: {}, body: posted }
      : one ? { headers: {}, body: JSON.stringify(one) } : page(url);
    const send = () => response.writeHead(request.method === 'GET' ? 200 : 201,
      { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers }).end(body);
    if (delay > 0) setTimeout(send, delay);
    else send();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
