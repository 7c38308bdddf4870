import type { ApiError } from '../../../client/errors.js';

/** The words of the program, then those of the service in quotes if they say more than the status. */
export const apiErrorMessage = ({ status, serverMessage }: ApiError): string => {
  if (htmlPage.test(serverMessage)) return 'the service responded with an HTML page';
  const refusal = refusals[status] ?? (status >= 500 ? 'the service failed' : 'the service rejected the request');
  const said = serverMessage.replace(new RegExp(`^${status}\\b[\\s:-]*`), '').replace(meanings, '').trim();
  return said === '' ? refusal : `${refusal}: "${said}"`;
};

const htmlPage = /\(an HTML page instead of /;

const refusals: Readonly<Record<number, string>> = {
  401: 'the service rejected the credentials',
  403: 'the service denied access',
  404: 'the service did not find the requested object',
  407: 'the proxy rejected the request',
  409: 'the service reported a conflict',
  413: 'the service rejected the request as too large',
  429: 'the service limits the rate of requests',
};

/** They repeat the status, which the line shows already. */
const meanings = new RegExp('^(?:bad request|unauthorized|forbidden|not found|conflict|unprocessable entity|'
  + 'too many requests|internal server error|bad gateway|service unavailable|gateway time-?out)'
  + '(?:\\s*[:-]\\s*|$)', 'i');
