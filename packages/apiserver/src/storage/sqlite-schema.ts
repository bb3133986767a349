import type { DatabaseSchema } from '@slipway/sqlite/inspect'

/**
 * `versions` contains every retained version in write order; `objects` points to the newest version of each existing
 * key. Both change in one transaction, as does `meta`.
 */
const objects = `
  CREATE TABLE versions (
    revision INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    value TEXT NOT NULL
  );
  CREATE INDEX versions_by_key ON versions (collection, key, revision);
  CREATE TABLE objects (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (collection, key)
  );
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT INTO meta VALUES ('revision', 0), ('compacted', 0);
`

const versionChecksum = 'row_checksum(revision, collection, key, deleted, value)'
const logChecksum = 'row_checksum(log, sequence, time, stream, bytes)'

/** A version 1 file may already have the logs table: it was created when the file was opened. */
const checksums = `
  CREATE TABLE IF NOT EXISTS logs (
    log TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    time INTEGER NOT NULL,
    stream TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (log, sequence)
  );
  ALTER TABLE versions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE logs ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE versions SET checksum = ${versionChecksum};
  UPDATE logs SET checksum = ${logChecksum};
  INSERT INTO meta VALUES ('commits', 1);
`

/** Cross-table checks. They run after the index on `versions` has been checked against the table. */
const consistency = [
  `SELECT 'the newest version of ' || collection || ' ' || key || ' is not revision ' || revision AS problem FROM objects o
    WHERE revision IS NOT
      (SELECT max(revision) FROM versions v WHERE v.collection = o.collection AND v.key = o.key)`,
  `SELECT n.collection || ' ' || n.key || ' is missing from the objects' AS problem FROM
    (SELECT collection, key, max(revision) AS revision FROM versions GROUP BY collection, key) n
    LEFT JOIN objects o USING (collection, key)
    WHERE o.revision IS NULL AND (SELECT deleted FROM versions v WHERE v.revision = n.revision) = 0`,
  `SELECT 'the history has ' || found || ' instead of ' || (revision - compacted) || ' revisions' AS problem FROM (
    SELECT r.value AS revision, c.value AS compacted,
      (SELECT count(*) FROM versions WHERE revision > c.value AND revision <= r.value) AS found
    FROM meta r, meta c WHERE r.name = 'revision' AND c.name = 'compacted'
  ) WHERE found <> revision - compacted`,
  `SELECT 'the history continues to revision ' || newest || ', but the last one is ' || value AS problem
    FROM meta, (SELECT max(revision) AS newest FROM versions) WHERE name = 'revision' AND newest > value`,
]

export const schema: DatabaseSchema = {
  migrations: [
    { sql: objects },
    {
      // Rows damaged before checksums existed must not get one.
      checks: [
        ...consistency,
        `SELECT 'revision ' || revision || ' (' || collection || ' ' || key || ') is not valid JSON' AS problem
          FROM versions WHERE NOT json_valid(value)`,
      ],
      sql: checksums,
    },
  ],
  checks: [
    `SELECT 'revision ' || revision || ' (' || collection || ' ' || key || ') is damaged' AS problem FROM versions
      WHERE checksum <> ${versionChecksum}`,
    ...consistency,
    `SELECT 'chunk ' || sequence || ' of the log ' || log || ' is damaged' AS problem FROM logs
      WHERE checksum <> ${logChecksum}`,
  ],
}
