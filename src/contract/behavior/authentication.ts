import { oauthParameter, sudoName, tokenHeader, tokenParameter } from '../conventions.js';
import { chosen, documented, factsOf, observed } from './fact.js';

export const authenticationFacts = factsOf('authentication', {
  'tokens.header': documented(
    `The header \`${tokenHeader.toUpperCase()}\` carries the token; its name is compared without case.`,
  ),
  'tokens.parameter': observed(
    `The parameter \`${tokenParameter}\` can carry the token, and takes precedence over the header.`,
  ),
  'tokens.bearer': observed('`Authorization: Bearer` can carry an OAuth token or any other token.'),
  'tokens.oauth-parameter': observed(`The parameter \`${oauthParameter}\` of a query can carry an OAuth token.`),
  'tokens.order': observed(
    `A token in the header \`${tokenHeader.toUpperCase()}\` takes precedence over one after \`Authorization: `
    + 'Bearer`.',
  ),
  'tokens.job': observed('The token of a CI job is not accepted for discussions, the appearance and epics.'),
  'tokens.prefixes': observed(
    'Tokens begin with `glpat-`, `gloas-`, `glcbt-` or `gldt-`; an instance can have another prefix for personal '
    + 'tokens.',
  ),
  'tokens.always': observed('Every operation needs a token, even on public projects.'),
  'tokens.missing': observed('A call without a token, or with an unknown one, gets 401 with `401 Unauthorized`.'),
  'tokens.no-challenge': observed(
    'The response to a call without a token, or with an unknown one, has no header `WWW-Authenticate`.',
  ),
  'tokens.expired': observed(
    'A call with an expired or revoked token gets 401 with `invalid_token`, a description and `WWW-Authenticate`.',
  ),
  'tokens.challenge': observed(
    '`WWW-Authenticate` for an expired or revoked token is `Bearer` with `realm`, `error` and '
    + '`error_description`.',
  ),
  'tokens.scopes': observed('A token needs the scope `api`; to read, `read_api` is enough.'),
  'tokens.insufficient-scope': observed(
    'A call with a token without the needed scope gets 403 with `insufficient_scope` and the scopes that would be '
    + 'enough.',
  ),
  'tokens.blocked': observed('A call with the token of a blocked or deactivated user gets 403 with the reason.'),
  'sudo.how': observed(
    `An administrator acts as another user with the header or parameter \`${sudoName}\`: a user name or the id of a `
    + 'user.',
  ),
  'sudo.scope': observed(`The token of a call with \`${sudoName}\` needs the scope \`sudo\` in addition to \`api\`.`),
  'sudo.administrators': observed(
    `A call with \`${sudoName}\` by a user who is not an administrator gets 403 with \`403 Forbidden - Must be admin `
    + 'to use sudo`.',
  ),
  'sudo.never-own': chosen(
    `A call of an administrator with a blank \`${sudoName}\` gets 404: it never runs with the rights of the caller.`,
  ),
  'sudo.unknown': observed(
    `A call with \`${sudoName}\` and an unknown user gets 404 with \`404 User with ID or username '…' Not Found\`.`,
  ),
});
