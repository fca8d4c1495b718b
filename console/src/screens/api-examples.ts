// The examples of the API screen: those of the server, which a test runs against the demo, and a few of the console.
import dashboard from '../../examples/dashboard.graphql';
import server from '../../examples/server.graphql';
import find from '../../examples/find.graphql';
import findVariables from '../../examples/find.variables.graphql';
import outside from '../../examples/outside.graphql';
import history from '../../examples/history.graphql';
import historyVariables from '../../examples/history.variables.graphql';
import change from '../../examples/change.graphql';
import changeVariables from '../../examples/change.variables.graphql';
import plan from '../../examples/plan.graphql';

export interface Example {
  title: string;
  note: string;
  query: string;
  /** A query whose fields are the variables: each gets the id that is found. */
  variables?: string;
}

const IMPACT = `# Impact
# What goes down with a rack, and because of what.
query Impact($rack: ID!) {
  impact(of: [$rack]) {
    counts { kind effect count }
    affected(kinds: ["Device"], first: 10) {
      nodes { path effect rule because(first: 3) { path } }
    }
  }
}
`;
const FOLLOW = `# Follow changes
# A subscription: each change, as it happens. Stop it when
# you have seen enough.
subscription Follow {
  changes { type revision at kind name }
}
`;

/** The title and the description are the comments at the beginning. */
function exampleOf(query: string, variables?: string): Example {
  const [title = '', ...note] = (/^(?:#.*\n)*/.exec(query)?.[0] ?? '').replaceAll('# ', '').trim().split('\n');
  return { title, note: note.join(' '), query, ...(variables ? { variables } : {}) };
}

export const EXAMPLES: Example[] = [
  exampleOf(dashboard), exampleOf(server), exampleOf(find, findVariables), exampleOf(outside), exampleOf(history, historyVariables),
  exampleOf(IMPACT, '{ rack: rack(site: "ams1", name: "A14") { id } }'), exampleOf(FOLLOW), exampleOf(change, changeVariables), exampleOf(plan),
];
