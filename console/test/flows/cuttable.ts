// A page whose sockets go through the flow: it sees what is asked, can cut them, and answer in the place of the server.
import type { Page, WebSocketRoute } from 'playwright-core';
import { newPage } from './harness.ts';
import type { Stage } from './harness.ts';

export interface Asked { id: string; type: string; payload?: { query?: string; variables?: Record<string, unknown> } }

export interface Cuttable {
  page: Page;
  /** What the page has sent, by any socket. */
  asked: Asked[];
  /** The number of sockets that were opened. */
  opened(): number;
  /** Cuts the sockets. With `stay`, no other socket works until `mend` is called. */
  cut(stay?: boolean): Promise<void>;
  mend(): void;
  /** What the flow answers instead of the server, which does not get the message then. */
  answer(next: (asked: Asked) => object | undefined): void;
}

export const live = (page: Page): Promise<void> => page.getByRole('status').getByText('The feed is live').waitFor({ state: 'attached' });

export async function openCuttable(on: Stage, path: string, prepare: (page: Page) => Promise<void> = async () => {}): Promise<Cuttable> {
  const sockets = new Set<WebSocketRoute>();
  const asked: Asked[] = [];
  let [opened, stays] = [0, false];
  let answer: (asked: Asked) => object | undefined = () => undefined;
  const end = (it: WebSocketRoute): Promise<void> => it.close({ code: 1011, reason: 'cut by the flow' });
  const page = await newPage(on);
  await prepare(page);
  await page.routeWebSocket(/graphql\/ws/, (socket) => {
    if (stays) {
      void end(socket);
      return;
    }
    opened += 1;
    sockets.add(socket);
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const it = JSON.parse(String(message)) as Asked;
      asked.push(it);
      const own = answer(it);
      if (own) socket.send(JSON.stringify(own));
      else server.send(message);
    });
  });
  await page.goto(on.base + path);
  await live(page);
  const cut = async (stay = false): Promise<void> => {
    stays = stay;
    await Promise.all([...sockets].map(end));
    sockets.clear();
  };
  return { page, asked, opened: () => opened, cut, mend: () => { stays = false; }, answer: (next) => { answer = next; } };
}
