import { oauthParameter, sudoName, tokenHeader, tokenParameter } from '../conventions.js';
import { documented, factsOf, observed } from './fact.js';

export const authenticationFacts = factsOf('authentication', {
  'tokens.header': documented(
    `Requests carry a token in the header \`${tokenHeader.toUpperCase()}\`; its name is compared without case.`,
  ),
  'tokens.parameter': observed(`The parameter \`${tokenParameter}\` can contain the token, and wins over the header.`),
  'tokens.bearer': observed('`Authorization: Bearer` can contain an OAuth token or any other.'),
  'tokens.oauth-parameter': observed(`The parameter \`${oauthParameter}\` of a query can contain an OAuth token.`),
  'tokens.job': observed('The token of a CI job is not accepted for discussions, the appearance and epics.'),
  'tokens.prefixes': observed(
    'Tokens begin with `glpat-`, `gloas-`, `glcbt-` or `gldt-`; an instance can have another prefix for personal '
    + 'tokens.',
  ),
  'tokens.always': observed('Every operation needs a token, also on public projects.'),
  'tokens.missing': observed('Without a token, and with an unknown one, a call is 401 with `401 Unauthorized`.'),
  'tokens.no-challenge': observed('That response has no `WWW-Authenticate`.'),
  'tokens.expired': observed(
    'An expired or revoked token is 401 with `invalid_token`, a description and `WWW-Authenticate`.',
  ),
  'tokens.scopes': observed('A token needs the scope `api`; `read_api` is enough to read.'),
  'tokens.insufficient-scope': observed(
    'A token without the scope is 403 with `insufficient_scope` and the scopes that would do.',
  ),
  'tokens.blocked': observed('The token of a blocked or deactivated user is 403 with the reason.'),
  'sudo.how': observed(
    `An administrator acts as another user with the header or parameter \`${sudoName}\`: a user name or number.`,
  ),
  'sudo.scope': observed('For that the token needs the scope `sudo` too.'),
  'sudo.administrators': observed('For everybody else it is 403 with `403 Forbidden - Must be admin to use sudo`.'),
  'sudo.unknown': observed('An unknown user is 404 with `404 User with ID or username \'…\' Not Found`.'),
});
