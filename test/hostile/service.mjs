/** An honest service, for cases in which another part is hostile. */
import { json, replies } from './server.mjs';

export const user = {
  id: 1, name: 'Administrator', username: 'root', state: 'active', avatar_url: null, web_url: 'http://127.0.0.1/root',
};

export const note = (id, more = {}) => ({
  id, type: 'DiscussionNote', body: `Note ${id}`, attachment: null, author: user,
  created_at: '2024-05-01T09:00:00.000Z', updated_at: '2024-05-01T09:00:00.000Z', system: false, noteable_id: 12,
  noteable_type: 'MergeRequest', noteable_iid: 12, resolvable: true, resolved: false, resolved_by: null, ...more,
});

export const thread = (number, more = {}) => ({
  id: number.toString(16).padStart(40, '0'), individual_note: false, notes: [note(number)], ...more,
});

export const threads = (from, count) => Array.from({ length: count }, (_, index) => thread(from + index));

export const appearance = {
  title: 'Honest', description: '', logo: null, header_logo: null, favicon: null, new_project_guidelines: '',
  profile_image_guidelines: '', header_message: '', footer_message: '', message_background_color: '#E75E40',
  message_font_color: '#FFFFFF', email_header_and_footer_enabled: false,
};

const epic = {
  id: 500, iid: 3, group_id: 1, parent_id: null, title: 'Epic', description: null, author: user, start_date: null,
  due_date: null, created_at: '2024-05-01T09:00:00.000Z', updated_at: '2024-05-01T09:00:00.000Z', labels: [],
};

/** The page number in a request. */
export const pageOf = ({ target }) => Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1);

/** The honest response to each request of the commands. Lists have one page. */
export const honestResponse = (request) => {
  const { method, target } = request;
  if (method === 'POST') return json('201 Created', target.endsWith('/notes') ? note(7) : thread(7));
  if (method === 'DELETE') return 'HTTP/1.1 204 No Content\r\n\r\n';
  if (target.endsWith('/user')) return json('200 OK', user);
  if (/\/epics\/\d+$/.test(target)) return json('200 OK', epic);
  if (/\/notes\?/.test(target)) return json('200 OK', [], { date: new Date().toUTCString(), 'x-total': 0 });
  if (target.includes('/appearance')) return json('200 OK', { ...appearance, logo: logoOf(request) });
  return json('200 OK', threads(1, 3), { 'x-page': 1, 'x-next-page': '', 'x-total': 3, 'x-total-pages': 1 });
};

/** The path of an uploaded logo; null without an upload. */
const logoOf = ({ body }) => {
  const name = /name="logo"; filename="([^"]*)"/.exec(body)?.[1];
  return name === undefined ? null : `/uploads/-/system/appearance/logo/1/${name}`;
};

/** A server with honest responses. */
export const honest = replies(honestResponse);
