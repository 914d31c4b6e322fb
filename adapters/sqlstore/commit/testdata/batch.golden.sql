-- receipts only
WITH receipt AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::timestamptz[]) AS receipt(n, tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at)), known_receipts AS MATERIALIZED (
	SELECT r.n FROM receipt r WHERE (SELECT TRUE FROM receipts k WHERE k.tenant = r.tenant AND k.key = r.key) IS NOT NULL), stored_receipts AS (INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)
	SELECT tenant, key, fingerprint, TRUE, 0, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipt r WHERE r.n NOT IN (SELECT n FROM known_receipts))
SELECT DISTINCT n, 'replay' FROM known_receipts;

-- records
WITH receipt AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::timestamptz[]) AS receipt(n, tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at)), event AS MATERIALIZED (SELECT * FROM unnest($13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::timestamptz[], $25::text[]) AS event(n, tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor)), step AS MATERIALIZED (SELECT * FROM unnest($26::bigint[], $27::text[], $28::text[], $29::bigint[], $30::timestamptz[], $31::timestamptz[], $32::text[], $33::bigint[], $34::text[], $35::text[], $36::bigint[], $37::boolean[]) WITH ORDINALITY AS step(_was, "tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent", _n)), known_receipts AS MATERIALIZED (
	SELECT r.n FROM receipt r WHERE (SELECT TRUE FROM receipts k WHERE k.tenant = r.tenant AND k.key = r.key) IS NOT NULL),
locked_rows AS MATERIALIZED (
	SELECT s.*, c.ctid AS _at FROM step s JOIN "parcels" c ON c.tenant = s.tenant AND c.id = s.id AND c.sequence = s._was
	WHERE s._n NOT IN (SELECT n FROM known_receipts) ORDER BY c.id FOR UPDATE OF c SKIP LOCKED),
updated AS (
	UPDATE "parcels" c SET "sequence" = f."sequence", "created_at" = f."created_at", "updated_at" = f."updated_at", "doc" = f."doc", "shape" = f."shape", "name" = f."name", "name_fold" = f."name_fold", "weight" = f."weight", "sent" = f."sent" FROM locked_rows f WHERE c.ctid = f._at RETURNING f._n),
inserted AS (
	INSERT INTO "parcels" ("tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent") SELECT "tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent" FROM step WHERE _was = 0 AND _n NOT IN (SELECT n FROM known_receipts) ORDER BY id
	ON CONFLICT DO NOTHING RETURNING id),
written AS MATERIALIZED (
	SELECT _n FROM updated UNION ALL SELECT _n FROM step WHERE _was = 0 AND (id IN (SELECT id FROM inserted)) IS TRUE),
stored_receipts AS (INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)
	SELECT tenant, key, fingerprint, TRUE, 0, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipt r WHERE (r.n IN (SELECT _n FROM written)) IS TRUE),
stored_events AS (
	INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor)
	SELECT tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor FROM event e WHERE (e.n IN (SELECT _n FROM written)) IS TRUE),
queued_events AS (
	INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)
	SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM event e
	WHERE (e.n IN (SELECT _n FROM written)) IS TRUE GROUP BY tenant, collection, e.n / 32)
SELECT s._n, CASE WHEN s._n IN (SELECT n FROM known_receipts) THEN 'replay'
	WHEN coalesce((SELECT c.sequence FROM "parcels" c WHERE c.tenant = s.tenant AND c.id = s.id), 0) = s._was THEN 'retry' ELSE 'stale' END
FROM step s WHERE s._n NOT IN (SELECT _n FROM written);

-- records with other records and stock
WITH receipt AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::timestamptz[], $12::timestamptz[]) AS receipt(n, tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at)), event AS MATERIALIZED (SELECT * FROM unnest($13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::timestamptz[], $25::text[]) AS event(n, tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor)), step AS MATERIALIZED (SELECT * FROM unnest($26::bigint[], $27::text[], $28::text[], $29::bigint[], $30::timestamptz[], $31::timestamptz[], $32::text[], $33::bigint[], $34::text[], $35::text[], $36::bigint[], $37::boolean[]) WITH ORDINALITY AS step(_was, "tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent", _n)), also0 AS MATERIALIZED (SELECT * FROM unnest($38::bigint[], $39::text[], $40::text[], $41::text[], $42::bigint[], $43::timestamptz[], $44::timestamptz[], $45::text[], $46::bigint[], $47::text[], $48::text[], $49::timestamptz[]) AS also0(_n, "tenant", "id", "environment", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "printed_at")), units AS MATERIALIZED (SELECT * FROM unnest($50::bigint[], $51::text[], $52::text[], $53::text[], $54::text[], $55::bigint[], $56::boolean[]) AS units(_n, tenant, environment, product, variant, on_hand, tracked)), known_receipts AS MATERIALIZED (
	SELECT r.n FROM receipt r WHERE (SELECT TRUE FROM receipts k WHERE k.tenant = r.tenant AND k.key = r.key) IS NOT NULL),
locked_rows AS MATERIALIZED (
	SELECT s.*, c.ctid AS _at FROM step s JOIN "parcels" c ON c.tenant = s.tenant AND c.id = s.id AND c.sequence = s._was
	WHERE s._n NOT IN (SELECT n FROM known_receipts) ORDER BY c.id FOR UPDATE OF c SKIP LOCKED),
updated AS (
	UPDATE "parcels" c SET "sequence" = f."sequence", "created_at" = f."created_at", "updated_at" = f."updated_at", "doc" = f."doc", "shape" = f."shape", "name" = f."name", "name_fold" = f."name_fold", "weight" = f."weight", "sent" = f."sent" FROM locked_rows f WHERE c.ctid = f._at RETURNING f._n),
inserted AS (
	INSERT INTO "parcels" ("tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent") SELECT "tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent" FROM step WHERE _was = 0 AND _n NOT IN (SELECT n FROM known_receipts) ORDER BY id
	ON CONFLICT DO NOTHING RETURNING id),
written AS MATERIALIZED (
	SELECT _n FROM updated UNION ALL SELECT _n FROM step WHERE _was = 0 AND (id IN (SELECT id FROM inserted)) IS TRUE),
stored_receipts AS (INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)
	SELECT tenant, key, fingerprint, TRUE, 0, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipt r WHERE (r.n IN (SELECT _n FROM written)) IS TRUE),
stored_events AS (
	INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor)
	SELECT tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor FROM event e WHERE (e.n IN (SELECT _n FROM written)) IS TRUE),
queued_events AS (
	INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)
	SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM event e
	WHERE (e.n IN (SELECT _n FROM written)) IS TRUE GROUP BY tenant, collection, e.n / 32),
also0_in AS (INSERT INTO "parcel_labels" ("tenant", "id", "environment", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "printed_at") SELECT "tenant", "id", "environment", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "printed_at" FROM also0 x WHERE (x._n IN (SELECT _n FROM written)) IS TRUE ORDER BY id),
units_in AS (INSERT INTO stock (tenant, environment, product, variant, on_hand, reserved, tracked) SELECT tenant, environment, product, variant, on_hand, 0, tracked FROM units x WHERE (x._n IN (SELECT _n FROM written)) IS TRUE ON CONFLICT DO NOTHING)
SELECT s._n, CASE WHEN s._n IN (SELECT n FROM known_receipts) THEN 'replay'
	WHEN coalesce((SELECT c.sequence FROM "parcels" c WHERE c.tenant = s.tenant AND c.id = s.id), 0) = s._was THEN 'retry' ELSE 'stale' END
FROM step s WHERE s._n NOT IN (SELECT _n FROM written);

-- fast: rows
WITH done AS (UPDATE "parcels" c SET "sequence" = f."sequence", "created_at" = f."created_at", "updated_at" = f."updated_at", "doc" = f."doc", "shape" = f."shape", "name" = f."name", "name_fold" = f."name_fold", "weight" = f."weight", "sent" = f."sent" FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::bigint[], $12::boolean[]) AS f(_was, "tenant", "id", "sequence", "created_at", "updated_at", "doc", "shape", "name", "name_fold", "weight", "sent") WHERE c.tenant = f.tenant AND c.id = f.id AND c.sequence = f._was RETURNING 1) SELECT 1 / (count(*) = cardinality($1))::int FROM done;

-- fast: receipts
INSERT INTO receipts (done, fence, tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at) SELECT TRUE, 0, tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::timestamptz[], $11::timestamptz[]) AS r(tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at);

-- fast: events
INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor) SELECT tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::text[]) AS e(tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor);

-- fast: queue of events
INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)
SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS q(n, tenant, record, record_sequence, collection) GROUP BY tenant, collection, n / 32;

