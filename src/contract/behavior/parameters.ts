import {
  granularScopeError, jobTokenNames, maxCountedRows, nothingStored, oauthParameter, perPage, sudoName, tokenHeader,
  tokenParameter, unknownRoute, versions,
} from '../conventions.js';
import { chosen, documented, factsAbout, inDocument, newer, observed, onLive } from './fact.js';

const jobHeader = jobTokenNames.header.toUpperCase();

const granular = { from: versions.granularTokens } as const;

export const authenticationFacts = factsAbout('authentication', {
  'tokens.header': documented(
    `The header \`${tokenHeader.toUpperCase()}\` carries the token; its name is compared without case.`),
  'tokens.parameter': observed(
    `The parameter \`${tokenParameter}\` can carry the token, and takes precedence over the header.`),
  'tokens.bearer': observed('`Authorization: Bearer` can carry an OAuth token or any other token.'),
  'tokens.oauth-parameter': observed(`The parameter \`${oauthParameter}\` of a query can carry an OAuth token.`),
  'tokens.order': observed(
    `A token in the header \`${tokenHeader.toUpperCase()}\` takes precedence over one after \`Authorization: `
    + 'Bearer`.'),
  'tokens.job': observed(
    'The token of a CI job gets 401 with `401 Unauthorized`, except for operations that accept one; it is not accepted '
    + 'for discussions, the appearance and epics.'),
  'tokens.job-notes': observed(
    `The notes of a merge request, the list and one, can be read with the token of a CI job in \`${jobHeader}\`, in `
    + `the parameter \`${jobTokenNames.parameter}\`, or after \`Authorization: Bearer\`.`, newer),
  'tokens.job-places': observed(
    `The token of a CI job in \`${tokenHeader.toUpperCase()}\`, and another token in \`${jobHeader}\`, are unknown `
    + 'tokens.'),
  'tokens.job-rights': chosen('On this server the token of a CI job has the rights of its user.'),
  'tokens.prefixes': observed(
    'Tokens begin with `glpat-`, `gloas-`, `glcbt-` or `gldt-`; an instance can have another prefix for personal '
    + 'tokens.'),
  'tokens.always': observed('Every operation needs a token, even on public projects.'),
  'tokens.missing': observed('A call without a token, or with an unknown one, gets 401 with `401 Unauthorized`.'),
  'tokens.no-challenge': observed(
    'The response to a call without a token, or with an unknown one, has no header `WWW-Authenticate`.'),
  'tokens.expired': observed(
    'A call with an expired or revoked token gets 401 with `invalid_token`, a description and `WWW-Authenticate`.'),
  'tokens.challenge': observed(
    '`WWW-Authenticate` for an expired or revoked token is `Bearer` with `realm`, `error` and `error_description`.'),
  'tokens.scopes': observed('A token needs the scope `api`; to read, `read_api` is enough.'),
  'tokens.insufficient-scope': observed(
    'A call with a token without the needed scope gets 403 with `insufficient_scope` and the scopes that would be '
    + 'enough.'),
  'tokens.blocked': observed('A call with the token of a blocked or deactivated user gets 403 with the reason.'),
  'tokens.granular': observed(
    'A fine-grained token has permissions instead of scopes; a call without the permission of its operation gets 403 '
    + `with \`${granularScopeError}\` and a description, before errors about parameters. The token is valid.`,
    granular),
  'tokens.granular-since': chosen(
    `Fine-grained tokens work from version ${versions.granularTokens} on, as if the service had switched them on.`,
    granular),
  'tokens.granular-off': observed(
    'A fine-grained token gets 403 with `Access denied: Fine-grained personal access tokens are not yet supported.`',
    { to: versions.granularTokens }),
  'tokens.granular-scope': observed('The scopes of a fine-grained token are exactly `granular`.', granular),
  'tokens.granular-texts': observed(
    'The description names the boundary and the missing permission: `Access denied: This operation requires a '
    + 'fine-grained personal access token with the following project permissions: [Issue Note: Read].`', granular),
  'tokens.granular-none': observed(
    'An operation without a permission gets 403 with `Access denied: This operation doesn\'t support fine-grained '
    + 'personal access tokens.`', granular),
  'tokens.granular-notes': observed(
    'The permissions of notes, draft notes and award emoji have names such as `Epic Note: Read` and `Epic Note Award '
    + 'Emoji: Read`, with the actions `Read`, `Create`, `Update` and `Delete`, and `Merge Request Draft Note: '
    + 'Publish`; applying suggestions needs `Suggestion: Apply`.', granular),
  'tokens.granular-lookups': documented(
    'A fine-grained token needs `Metadata: Read` for `GET /version`, and `User: Read` for `GET /user`.', granular),
  'tokens.granular-names': chosen(
    'Threads need the permissions of notes, other operations those of what they read or change, such as `Epic: '
    + 'Update`; the appearance has no permission.', granular),
  'tokens.granular-hidden': observed(
    'A fine-grained token without the permission gets 404 with `404 Not Found` where its user cannot see the project '
    + 'or group.', { from: versions.hiddenBoundaries }),
  'tokens.granular-enforced': observed(
    'A token with scopes gets the 403 of a missing permission below a top-level group that enforces fine-grained '
    + 'tokens.', granular),
  'tokens.granular-path': chosen(
    'On this server the project, group or suggestions that a call names decide: to tokens with scopes, lists of all '
    + 'merge requests and the child epics of other groups show what is below such a group.', granular),
  'sudo.how': observed(
    `An administrator acts as another user with the header or parameter \`${sudoName}\`: a user name or the id of a `
    + 'user.'),
  'sudo.scope': observed(`The token of a call with \`${sudoName}\` needs the scope \`sudo\` in addition to \`api\`.`),
  'sudo.administrators': observed(
    `A call with \`${sudoName}\` by a user who is not an administrator gets 403 with \`403 Forbidden - Must be admin `
    + 'to use sudo`.'),
  'sudo.never-own': chosen(
    `A call of an administrator with a blank \`${sudoName}\` gets 404: it never runs with the rights of the caller.`),
  'sudo.unknown': observed(
    `A call with \`${sudoName}\` and an unknown user gets 404 with \`404 User with ID or username '…' Not Found\`.`),
});

export const errorFacts = factsAbout('errors', {
  'errors.parameter-body': observed('The body of an error about parameters is `{"error": text}`.'),
  'errors.message-body': observed(
    'The body of an error that is not about parameters is `{"message": text}`, or has messages by field.'),
  'errors.unknown-route': observed(
    `An unknown path, or a known one with a method that it does not have, gets ${unknownRoute.status} with `
    + `\`{"error": "${unknownRoute.body.error}"}\`.`),
  'errors.missing': observed('A request without a required parameter gets 400, for example with `body is missing`.'),
  'errors.nested': observed(
    'A missing field of a nested parameter gets 400, for example with `position[start_sha] is missing`.'),
  'errors.invalid': observed('A parameter of another type gets 400, for example with `page is invalid`.'),
  'errors.not-in-list': observed(
    'A parameter whose value is not one of a list gets 400 with `… does not have a valid value`.'),
  'errors.blank': observed(
    'A change of a note to a blank text gets 400 with `body is empty` at `/notes/:note_id` of its object.'),
  'errors.joined': observed(
    'An error about parameters reports all problems at once, in the order of the parameters, joined by `, `.'),
  'errors.noteable-name': observed(
    'Messages call the id of every issue, merge request, snippet, epic and commit `noteable_id`.'),
  'errors.exclusive': observed(
    'A request with both of two exclusive parameters gets 400 with `body, resolved are mutually exclusive`, and '
    + 'one with neither gets 400 with `body, resolved are missing, exactly one parameter must be provided`.'),
  'errors.hidden': observed('An object that the caller may not see gets 404, as if it did not exist.'),
  'errors.project': observed(
    'An unknown or hidden project gets 404 with `404 Project Not Found`, and such a group `404 Group Not Found`.'),
  'errors.record': observed(
    'An unknown issue, merge request, snippet or note gets 404 with `404 Not found`, with a lower-case `f`.'),
  'errors.commit': observed('An unknown commit gets 404 with `404 Commit Not Found`.'),
  'errors.thread': observed(
    'An unknown thread gets 404 with `404 Discussion Not Found`, and the list of its notes with `404 Notes Not Found`.',
  ),
  'errors.note-of-thread': chosen('A `GET` of a note that is in another thread gets 404 with `404 Note Not Found`.'),
  'errors.forbidden': observed('A call without the needed right gets 403 with `403 Forbidden`.'),
  'errors.model': observed(
    'A note that the service rejects gets 400, for example with `400 Bad request - Note {:note=>["can\'t be blank"]}`.',
  ),
  'errors.field-texts': observed(
    'Rejected values of the appearance or an epic get 400 with messages by field, for example `{"message": {"title": '
    + '["can\'t be blank"]}}`.'),
  'errors.order': observed(
    'If a call on a thread has several errors, the first of these counts: 401, 400 for parameters, 404 for the project '
    + 'or group, 404 for the object, 404 for the thread, 403, 400 for values.'),
  'errors.appearance-order': observed('For the appearance, 403 comes before errors about parameters.'),
  'errors.epic-links-order': observed(
    'For epic links, 403 for the tier and the right comes before errors about the child.'),
  'errors.private-group': documented('A GET on a private group of which the caller is not a member gets 404.'),
  'errors.feature': documented('Epic links get 403 if the service has no multi-level epics.'),
  'errors.server': observed('A failure of the service gets 500 with `500 Internal Server Error`.'),
  'errors.too-large': observed('A body that is too large gets 413 with `413 Request Entity Too Large`.'),
  'errors.unavailable': observed('A call gets 503 with `503 Service Unavailable` while the service is overloaded.'),
  'errors.nothing-stored': chosen(
    `The message of an error after which nothing is stored contains \`${nothingStored}\`, so that clients can `
    + 'repeat the request.'),
  'errors.text': observed(
    'A call with a text that is not UTF-8, or has NUL or a lone surrogate, in its path, query or body gets 400 with '
    + 'the plain text `Bad Request`. So does one with a percent sign without two digits in its path, query or form.'),
});

export const parameterFacts = factsAbout('parameters', {
  'parameters.integers': observed(
    'An integer is also read from text: `"010"` is 10, JSON `1.5` is 1, and `"1abc"` is invalid.'),
  'parameters.booleans': observed(
    'A boolean is `true`, `t`, `yes`, `y`, `on`, `1` or one of their opposites, even in capitals; anything else is '
    + 'invalid.'),
  'parameters.texts': observed(
    'A number or boolean becomes text where a text is expected; an object or list is invalid.'),
  'parameters.blank': observed('A blank integer or boolean is null, and counts as given.'),
  'parameters.null': observed('A parameter with the value null counts as given, even where a text is required.'),
  'parameters.hash-text': observed(
    'A text where an object is expected is invalid, and so is every required field of that object.'),
  'parameters.hash-blank': observed(
    'A blank text where an object is expected is invalid, without errors about its fields.'),
  'parameters.lists': observed(
    'A list is also read from text with commas, and from several parameters named `name[]`. Blank items are left out, '
    + 'so that blank text is an empty list.'),
  'parameters.times': observed(
    'A time of a filter, such as `created_after`, that cannot be read is invalid, before the project is looked for; a '
    + 'blank one is null.'),
  'parameters.none-any': observed(
    '`assignee_id` and `reviewer_id` of a list of issues or merge requests are an integer, `None` or `Any`, in any '
    + 'case. Another text, a blank one too, gets 400, for example with `assignee_id should be an integer, none, or '
    + 'any, however got x`.'),
  'parameters.exclusive-people': observed(
    'The id and the username of an author, an assignee or a reviewer exclude each other in a list: 400 with '
    + '`author_id, author_username are mutually exclusive`.'),
  'parameters.states': observed(
    'The `state` of a list of issues or epics is `opened`, `closed` or `all`; others, such as `merged`, get 400 with '
    + '`state does not have a valid value`.'),
  'parameters.list-values': observed(
    'Another value of `scope`, `state`, `order_by`, `sort` or `wip` of a list of merge requests, or of `order_by` or '
    + '`sort` of a list of notes, gets 400 with `… does not have a valid value`; a blank one too.'),
  'parameters.list-order': observed(
    'Another value of `order_by` or `sort` of a list of issues, epics, projects, groups or users gets 400 with '
    + '`… does not have a valid value`; a blank one too.'),
  'parameters.file-text': observed('A text where a file is expected is invalid; null is ignored.'),
  'parameters.noteable-text': observed(
    'A text where the path has the number of an object gets 404 with `404 Not found`, not 400.',
    { to: versions.unknown }),
  'parameters.noteable-number': observed(
    'A text where the path has the number of an object gets 400 with `noteable_id is invalid`.', newer),
  'parameters.bare-key': observed('A key of a form without `=` is null, so an optional parameter counts as not given.'),
});

export const paginationFacts = factsAbout('pagination', {
  'pages.default': documented(`A list has ${perPage.default} results a page by default.`),
  'pages.maximum': observed(
    `A page has at most ${perPage.max} results; a larger \`per_page\` counts as ${perPage.max}.`),
  'pages.zero': observed('A request with `per_page=0` gets 400 with `per_page has a value not allowed`.'),
  'pages.invalid': observed(
    'A `page` or `per_page` that is not a number gets 400 with `page is invalid`; a blank one counts as not given.'),
  'pages.below-one': observed(
    'A `page` below 1 is the first page, unless an administrator of a newer service made it an error; a negative '
    + '`per_page` is the default.'),
  'pages.beyond-end': observed('A page after the last one gets 200 with an empty list.'),
  'pages.beyond-headers': observed(
    'A page after the last one has its number in `X-Page`, and neither a next nor a previous page.'),
  'pages.no-keyset': observed('The parameter `pagination` is ignored: lists have no keyset pagination.'),
  'pages.headers': observed(
    '`X-Page`, `X-Per-Page`, `X-Next-Page`, `X-Prev-Page`, `X-Total` and `X-Total-Pages` describe a page; the next '
    + 'or previous page is empty if there is none.'),
  'pages.one-page': observed('`X-Total-Pages` is at least 1, even for an empty list.'),
  'pages.links': observed(
    'The header `Link` has `prev`, `next`, `first` and `last` in this order, without pages that do not exist.'),
  'pages.link-parameters': observed('The addresses in `Link` also contain the parameters of the path.'),
  'pages.link-host': observed(
    'The addresses in `Link` have the configured host of the service, which the caller may not reach.'),
  'pages.totals': observed(`A list of more than ${maxCountedRows} results has no totals and no link to the last page.`),
  'pages.short': observed('A page can have fewer results than `per_page`, even if more pages follow.'),
  'pages.internal-notes': chosen('Pages and totals leave out internal notes that the caller may not see.'),
  'pages.unpaged': observed(
    'The notes of one thread, and the children of an epic after a reorder, are one list without pages.'),
  'pages.children-paged': documented('The list of child epics has pages.', inDocument),
  'pages.children-whole': observed('The list of child epics is complete, without pages.', onLive),
});
