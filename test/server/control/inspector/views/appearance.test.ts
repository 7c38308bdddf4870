import { expect, it } from 'vitest';
import { inspected } from '../../../../support/inspected.js';

it('the appearance is shown with its colors, and with the images that browsers draw', async () => {
  const { service, view } = await inspected();
  const content = Buffer.from('image').toString('base64');
  await service.setWorld({
    users: [{ username: 'root', admin: true }],
    appearance: {
      title: 'Forge', header_message: 'Closed', message_background_color: '#123456',
      logo: { file_name: 'a.png', media_type: 'image/png', content }, favicon: { file_name: 'a.html', media_type: 'text/html', content },
    },
  });
  const { html, styles } = await view('appearance');
  expect(html).toContain(`src="data:image/png;base64,${content}"`);
  expect(html.match(/src=/g)).toHaveLength(1);
  expect(html).toContain('Forge');
  expect(styles).toContain('.live .bar { background-color: #123456; }');
});
