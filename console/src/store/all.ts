// All rows of a list, page by page, of one revision.
import { listDocument } from '../kinds/documents.ts';
import type { Row } from '../kinds/shape.ts';
import { ask } from '../server/ask.ts';
import type { Source } from './rows.ts';

const AT_ONCE = 1_000;

interface Page {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Reads the rows with a selection such as `id name`. */
export async function* allRows(source: Source, selection: string): AsyncGenerator<Row[]> {
  const document = listDocument(source, `nodes { ${selection} } pageInfo { hasNextPage endCursor }`);
  let after: string | null = null;
  for (;;) {
    const { filter, order, of } = source;
    const variables: object = { ...(of ? { id: of.id } : {}), filter, order, first: AT_ONCE, after, pin: true };
    const answer: { data: { rows?: Page | null; node?: { rows: Page | null } | null } } = await ask(document, variables);
    const page = of ? answer.data.node?.rows : answer.data.rows;
    if (!page) return;
    yield page.nodes;
    if (!page.pageInfo.hasNextPage) return;
    after = page.pageInfo.endCursor;
  }
}
