// All rows of a list, page by page, of one revision.
import { listDocument } from '../kinds/documents.ts';
import type { Row } from '../kinds/shape.ts';
import { ask } from '../server/ask.ts';
import { Refused } from '../server/refused.ts';
import type { Source } from './rows.ts';

/** The rows of a page, where its columns allow as many. */
const AT_ONCE = 1_000;

interface Page {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

type Rows = { rows?: Page | null; node?: { rows: Page | null } | null };

/**
 * Reads the rows with a selection such as `id name`. A page is as large as the selection allows: the server counts what a
 * query can read before it reads anything, and a row of cables has many ends.
 */
export async function* allRows(source: Source, selection: string): AsyncGenerator<Row[]> {
  const document = listDocument(source, `nodes { ${selection} } pageInfo { hasNextPage endCursor }`);
  const { filter, order, of } = source;
  let after: string | null = null;
  let first = AT_ONCE;
  for (;;) {
    const variables: object = { ...(of ? { id: of.id } : {}), filter, order, first, after, pin: true };
    let data: Rows;
    try {
      data = (await ask<Rows>(document, variables)).data;
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'TOO_COMPLEX' && first > 1)) throw error;
      first = Math.ceil(first / 2);
      continue;
    }
    const page = of ? data.node?.rows : data.rows;
    if (!page) return;
    yield page.nodes;
    if (!page.pageInfo.hasNextPage) return;
    after = page.pageInfo.endCursor;
  }
}
