import { testService } from './service.js';

export const issue = '/projects/20/issues/1/discussions';

/** A service after three requests: 200, 401 with a secret in its body, and 404. */
export const afterRequests = async () => {
  const service = await testService();
  await service.get(issue);
  await service.post(issue, { json: { body: 'hello', private_token: 'secret-in-body' } });
  await service.get('/projects/99?per_page=1');
  return service;
};
