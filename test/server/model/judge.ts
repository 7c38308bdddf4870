import { apiPrefix, pageHeaders, targetLimit } from '../../../src/contract/conventions.js';
import { contractRouter } from '../../../src/server/api/router.js';
import { type HttpRequest, type HttpResponse, isParams } from '../../../src/wire/http.js';
import { answerProblem } from '../../support/answer-problem.js';

const router = contractRouter();
const expected = new Set([200, 201, 204, 304, 400, 401, 403, 404, 409, 410, 412, 413, 415, 422]);

/** What is wrong with an answer, whatever was asked; null where nothing is. */
export const fault = (request: HttpRequest, response: HttpResponse): string | null => {
  const { status, headers } = response;
  const isTooLong = request.target.length > targetLimit;
  if (!expected.has(status) && !(isTooLong && status === 414)) return `the status is ${status}`;
  if (isTooLong && status < 400) return `the status is ${status} for a target of ${request.target.length} characters`;
  const header = Object.entries(headers).find(([name, value]) =>
    !/^(?!access-control|set-cookie)[a-z0-9-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value));
  if (header) return `the header ${header.join(': ')}`;
  if (headers['x-content-type-options'] !== 'nosniff' || !headers['x-request-id']) return 'a header is missing';
  const text = Buffer.from(response.body as Uint8Array).toString();
  const isEmpty = request.method === 'HEAD' || status === 204 || status === 304;
  if (isEmpty) return text === '' ? null : `a body with ${status} to ${request.method}`;
  return headers['content-type'] === 'application/json' ? inJson(request, response, text) : null;
};

const inJson = (request: HttpRequest, response: HttpResponse, text: string): string | null => {
  if (/[<>&]/.test(text)) return 'text that is not escaped';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `no JSON: ${text}`;
  }
  if (response.status >= 400) return isParams(value) && ('message' in value || 'error' in value) ? null : `a refusal without words: ${text}`;
  return request.target.startsWith(`${apiPrefix}/`) ? shapeFault(request, response, value) : null;
};

/** Where operations share a path, the answer is that of one of them. */
const shapeFault = ({ method, target }: HttpRequest, { status, headers }: HttpResponse, value: unknown): string | null => {
  const path = target.slice(apiPrefix.length).split('?')[0]!;
  const candidates = router.match(method, path)?.candidates.filter(({ endpoint }) => endpoint.status === status) ?? [];
  if (candidates.length === 0) return `${status} where no operation answers so`;
  const problems = candidates.map(({ endpoint }) => answerProblem(endpoint, value, 'document'));
  if (!problems.includes(undefined)) return problems[0]!;
  return candidates[0]!.endpoint.paged ? pageFault(headers, value as unknown[]) : null;
};

const pageFault = (headers: Readonly<Record<string, string>>, items: readonly unknown[]): string | null => {
  const [page, size, total, pages] = [pageHeaders.page, pageHeaders.perPage, pageHeaders.total, pageHeaders.totalPages].map((name) => Number(headers[name]));
  const left = Math.max(0, Math.min(size!, total! - (page! - 1) * size!));
  if (items.length !== left) return `${items.length} items on page ${page} of ${pages}, ${size} a page, ${total} in all`;
  return headers[pageHeaders.next] === (page! < pages! ? String(page! + 1) : '') ? null : `the next page is ${headers[pageHeaders.next]}`;
};
