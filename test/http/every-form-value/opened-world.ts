import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { TRUSTING } from '../../support/traveller.ts';
import { PAGES, type Stand, World } from './pages-with-forms.ts';

interface OpenedWorld {
  readonly app: TestApp;
  readonly world: World;
  /** Before a page, by its name among `PAGES`. */
  readonly standAt: (name: string) => Promise<Stand>;
}

/** An app, and the world of its pages with forms, opened before the tests of a file and closed after them. */
export function openedWorld(): OpenedWorld {
  let opened: Omit<OpenedWorld, 'standAt'> | undefined;
  beforeAll(async () => {
    const app = await startTestApp({ ...TRUSTING, MAIL_LIMITS: 'off' });
    opened = { app, world: await World.open(app) };
  });
  afterAll(() => opened?.app.close());
  const now = (): Omit<OpenedWorld, 'standAt'> => {
    if (!opened) throw new Error('The world is open during tests alone.');
    return opened;
  };
  return {
    get app() {
      return now().app;
    },
    get world() {
      return now().world;
    },
    standAt: (name) => {
      const make = PAGES[name];
      if (!make) throw new Error(`No page is called ${name}.`);
      return make(now().world);
    },
  };
}
