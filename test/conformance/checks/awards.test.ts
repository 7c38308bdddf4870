import { awardChecks } from '../../../src/conformance/checks/awards.js';
import { asText, findDifferences, replaced, status } from '../../support/differences.js';

const onAwards = (request: string) => /\/award_emoji(\/\d+)?$/.test(request);

findDifferences(awardChecks, [
  ['a service without the routes', ({ request }) => onAwards(request) ? { status: 404, ...asText({ error: '404 Not Found' }) } : {}, [
    'awards.paths', 'awards.epic-iid', 'awards.create', 'awards.keys', 'awards.url', 'awards.aliases', 'awards.again', 'awards.invalid-name', 'awards.delete',
    'awards.unknown',
  ]],
  ['an emoji that is awarded twice', status(404, 201), ['awards.again', 'awards.invalid-name', 'awards.unknown']],
  ['names as given', replaced('"thumbsup"', '"+1"'), ['awards.aliases']],
  ['other objects', replaced('"awardable_type":"Note"', '"awardable_type":"Issue"'), ['awards.keys']],
  ['a picture', replaced('"url":null', '"url":"https://example.com/a.png"'), ['awards.url']],
  ['an award emoji that stays', (got) => got.request.startsWith('GET') && onAwards(got.request) ? asText([{ id: 1 }]) : {}, ['awards.delete', 'awards.create']],
]);
