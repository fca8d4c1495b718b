//! The references for topology queries: a recursive statement on the same PostgreSQL database, as a user would write
//! it. It gets the indexes that it needs, which the program itself does not use.

use std::time::{Duration, Instant};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use uuid::Uuid;

use crate::measure::median;
use crate::problem::{LoadError, Result, within};

/// The time limit for creating the indexes.
const INDEX_TIMEOUT: Duration = Duration::from_secs(600);
/// The number of times that a statement runs; the first, cold runs do not count.
const STATEMENT_RUNS: usize = 30;
const COLD_RUNS: usize = 5;

const INDEXES: [&str; 7] = [
    "CREATE INDEX ON cable USING gin (a_ends jsonb_path_ops)",
    "CREATE INDEX ON cable USING gin (b_ends jsonb_path_ops)",
    "CREATE INDEX ON port USING gin (pass_through jsonb_path_ops)",
    "CREATE INDEX IF NOT EXISTS measured_port_device ON port (device_id)",
    "ANALYZE",
    // The planner cannot know that each step of the recursion has few rows.
    "SET enable_seqscan = off",
    // Compiling the statement takes far longer than running it.
    "SET jit = off",
];

/// The line of a port, with its stack of positions: over cables, through panels, across circuits.
const TRACE: &str = r"
WITH RECURSIVE walk (depth, kind, id, stack, plugged) AS (
  SELECT 0, 'port', $1::uuid, ARRAY[]::int[], false
  UNION ALL
  SELECT walk.depth + 1, next.kind, next.id, next.stack, NOT walk.plugged
  FROM walk CROSS JOIN LATERAL (
    SELECT far.kind, far.id::uuid AS id, walk.stack AS stack
    FROM (
      SELECT b_ends AS ends FROM cable
      WHERE NOT walk.plugged AND a_ends @> jsonb_build_array(jsonb_build_object(walk.kind, walk.id))
      UNION ALL
      SELECT a_ends FROM cable
      WHERE NOT walk.plugged AND b_ends @> jsonb_build_array(jsonb_build_object(walk.kind, walk.id))
    ) cable, jsonb_array_elements(cable.ends) entry, jsonb_each_text(entry) far (kind, id)
    UNION ALL
    SELECT 'circuitTermination', circuit_termination.id, walk.stack FROM circuit_termination
    WHERE NOT walk.plugged AND walk.kind = 'port' AND circuit_termination.port_id = walk.id
    UNION ALL
    SELECT 'port', circuit_termination.port_id, walk.stack FROM circuit_termination
    WHERE NOT walk.plugged AND walk.kind = 'circuitTermination' AND circuit_termination.id = walk.id
      AND circuit_termination.port_id IS NOT NULL
    UNION ALL
    SELECT 'port', rear.id,
           CASE WHEN rear.positions > 1 THEN walk.stack || (mapping->>'rearPosition')::int ELSE walk.stack END
    FROM port front, jsonb_array_elements(front.pass_through) mapping, port rear
    WHERE walk.plugged AND walk.kind = 'port' AND front.id = walk.id AND rear.id = (mapping->>'rear')::uuid
    UNION ALL
    SELECT 'port', front.id,
           CASE WHEN rear.positions > 1 THEN walk.stack[:cardinality(walk.stack) - 1] ELSE walk.stack END
    FROM port rear, port front, jsonb_array_elements(front.pass_through) mapping
    WHERE walk.plugged AND walk.kind = 'port' AND rear.id = walk.id
      AND front.pass_through @> jsonb_build_array(jsonb_build_object('rear', walk.id))
      AND (mapping->>'rear')::uuid = walk.id
      AND (rear.positions = 1 OR (mapping->>'rearPosition')::int = walk.stack[cardinality(walk.stack)])
    UNION ALL
    SELECT 'circuitTermination', other.id, walk.stack
    FROM circuit_termination here, circuit_termination other
    WHERE walk.plugged AND walk.kind = 'circuitTermination' AND here.id = walk.id
      AND other.circuit_id = here.circuit_id AND other.id <> here.id
  ) next
  WHERE walk.depth < 64
)
SELECT depth, kind, id FROM walk ORDER BY depth";

/// The objects that a device can affect: its ports, their cables, the other ends and their devices. A recursive
/// statement cannot express `all of`, so it does not decide if redundancy is left, as an impact does.
const IMPACT: &str = r"
WITH RECURSIVE hit (depth, kind, id) AS (
  SELECT 0, 'device', $1::uuid
  UNION
  SELECT hit.depth + 1, next.kind, next.id
  FROM hit CROSS JOIN LATERAL (
    SELECT 'port' AS kind, port.id FROM port WHERE hit.kind = 'device' AND hit.depth = 0 AND port.device_id = hit.id
    UNION ALL
    SELECT 'device', device.id FROM device WHERE hit.kind = 'device' AND hit.depth = 0 AND device.parent_id = hit.id
    UNION ALL
    SELECT 'cable', cable.id FROM cable
    WHERE hit.kind = 'port' AND hit.depth = 1
      AND (a_ends @> jsonb_build_array(jsonb_build_object('port', hit.id))
        OR b_ends @> jsonb_build_array(jsonb_build_object('port', hit.id)))
    UNION ALL
    SELECT 'port', (entry->>'port')::uuid FROM cable, jsonb_array_elements(cable.a_ends || cable.b_ends) entry
    WHERE hit.kind = 'cable' AND cable.id = hit.id AND entry ? 'port'
    UNION ALL
    SELECT 'device', port.device_id FROM port WHERE hit.kind = 'port' AND hit.depth = 3 AND port.id = hit.id
  ) next
  WHERE hit.depth < 5 AND next.id IS NOT NULL
)
SELECT kind, id FROM hit";

/// A connection to a database with the indexes that the statements need, bypassing the program.
pub struct Sql {
    connection: DatabaseConnection,
}

impl Sql {
    /// Connects and creates the indexes.
    pub async fn connect(url: &str) -> Result<Self> {
        let mut options = ConnectOptions::new(url);
        options.max_connections(1).min_connections(1).sqlx_logging(false);
        let connection = Database::connect(options).await?;
        for index in INDEXES {
            within(INDEX_TIMEOUT, "an index", async { Ok(connection.execute_unprepared(index).await?) }).await?;
        }
        Ok(Self { connection })
    }

    /// Returns the seconds for the line of a port, over several ports.
    pub async fn trace(&self, begins: &[Uuid]) -> Result<f64> {
        // A line through two panels and circuits has at least this number of ends.
        self.median(TRACE, begins, 8).await
    }

    /// Returns the seconds for the objects that a device can affect.
    pub async fn impact(&self, device: Uuid) -> Result<f64> {
        self.median(IMPACT, &[device], 10).await
    }

    async fn median(&self, sql: &str, of: &[Uuid], fewest: usize) -> Result<f64> {
        let mut took = Vec::with_capacity(STATEMENT_RUNS);
        for (time, id) in of.iter().cycle().take(if of.is_empty() { 0 } else { STATEMENT_RUNS }).enumerate() {
            let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, [(*id).into()]);
            let begin = Instant::now();
            let rows = within(INDEX_TIMEOUT, "a recursive query", async {
                Ok(self.connection.query_all_raw(statement).await?)
            })
            .await?;
            let seconds = begin.elapsed().as_secs_f64();
            if rows.len() < fewest {
                return Err(LoadError::Answer(format!("a recursive query about {id} found {} rows", rows.len())));
            }
            if time >= COLD_RUNS {
                took.push(seconds);
            }
        }
        Ok(median(took))
    }

    /// Closes the connection.
    pub async fn close(self) -> Result<()> {
        Ok(self.connection.close().await?)
    }
}
