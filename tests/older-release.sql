-- A small site as the release before migration 0005 leaves it: its schema, its records and, in a temporary table, the photos
-- that lie in files/objects. Made by that release's own build over HTTP. tests/older-release.ts lays it into a data folder.

CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE "projects" ("id" text not null primary key, "title" text not null, "description" text not null, "category" text not null, "image_url" text not null, "scale" text, "materials" text, "techniques" text, "time_spent" text, "before_image_url" text, "after_image_url" text, "featured" boolean default false not null, "created_at" text default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) not null, "title_es" text, "description_es" text, "materials_es" text, "techniques_es" text);
CREATE INDEX "projects_newest" on "projects" ("created_at" desc, "id");
CREATE INDEX "projects_newest_of_category" on "projects" ("category", "created_at" desc, "id");
CREATE TABLE "contact_messages" ("id" text not null primary key, "name" text not null, "email" text not null, "project_type" text, "message" text not null, "created_at" text default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) not null);
CREATE INDEX "contact_messages_newest" on "contact_messages" ("created_at" desc, "id");
CREATE TABLE "admin_users" ("id" text not null primary key, "username" text not null check (length(username) <= 50), "name_key" text not null unique, "password_hash" text not null, "last_login" text, "created_at" text default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) not null);
CREATE TABLE "sessions" ("sid" text not null primary key, "admin_id" text not null references "admin_users" ("id") on delete cascade, "sess" json not null, "expire" text not null);
CREATE INDEX "sessions_expire" on "sessions" ("expire");
CREATE INDEX "sessions_admin" on "sessions" ("admin_id");
CREATE TABLE "login_attempts" ("subject" text not null primary key, "failures" integer not null, "last_failure" text not null);
CREATE INDEX "login_attempts_last" on "login_attempts" ("last_failure");
CREATE TABLE "images" ("hash" text not null primary key, "content_type" text not null, "bytes" integer not null, "width" integer not null, "height" integer not null, "placeholder" text not null, "created_at" text default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) not null, "unreferenced_since" text);
CREATE TABLE "upload_tickets" ("id" text not null primary key, "admin_id" text not null references "admin_users" ("id") on delete cascade, "state" text not null, "expires_at" text not null);
CREATE INDEX "upload_tickets_expires" on "upload_tickets" ("expires_at");
CREATE INDEX "upload_tickets_admin" on "upload_tickets" ("admin_id");
CREATE TABLE "request_counts" ("subject" text not null primary key, "count" integer not null, "window_ends" text not null);
CREATE INDEX "request_counts_ends" on "request_counts" ("window_ends");
CREATE INDEX "images_unreferenced" on "images" ("unreferenced_since");
insert into kysely_migration values ('0001-first-tables', '2026-11-16T04:00:17.831Z');
insert into kysely_migration values ('0002-uploads', '2026-11-16T04:00:17.834Z');
insert into kysely_migration values ('0003-announce-content', '2026-11-16T04:00:17.835Z');
insert into kysely_migration values ('0004-several-processes', '2026-11-16T04:00:17.838Z');
insert into kysely_migration_lock values ('migration_lock', 0);
insert into projects values ('21a07a6e-91ab-4ea0-8432-61b42c499c02', 'Tugboat “Ñandú” 🚢', 'A steam tug with her fenders out.', 'ships', '/objects/35d3f342aa7ac7fc5c57c0cb6cb66137c18ca18fe4a224f12699c14a8b9b6e76', '1:48', 'pear, brass; ''linen''', null, null, '/objects/e972c360ddaeca62128c993192034ec21f53284947f82acdb4529efc7826a7af', '/objects/81b5d5750e6fb1a172c24f8b652eb158151638370b6f44ae291bf7b9bac9a6c0', 1, '2026-11-16T04:00:19.020Z', 'Remolcador', null, null, null);
insert into projects values ('695ca1ac-262e-4385-a53e-b7adc6e62bc3', 'Second', 'A steam tug with her fenders out.', 'figures', '/objects/8e77349dff05d4eff4b35944ee6938e06b15b8361f86723cfb06df68bc27b781', null, null, null, '120', null, null, 0, '2026-11-16T04:00:19.028Z', null, null, null, null);
insert into projects values ('c51957c5-9a48-4026-80d5-1939a81696a0', 'Of an older site', 'A steam tug with her fenders out.', 'military', 'https://example.com/tug.jpg', null, null, null, null, null, null, 0, '2026-11-16T04:00:19.035Z', null, null, null, null);
insert into contact_messages values ('e3f5f5db-2306-4b02-9959-1b0b3e680c15', 'Ada', 'ines@example.com', 'ship', 'A message of Ada,
in two lines.', '2026-11-16T04:00:19.041Z');
insert into contact_messages values ('d3839dd6-dcb8-498e-9819-f872d75f4052', 'Grace', 'ines@example.com', 'ship', 'A message of Grace,
in two lines.', '2026-11-16T04:00:19.047Z');
insert into contact_messages values ('f37a1097-42ff-4eb6-af3c-c53977df1fe7', 'Inés; with a semicolon', 'ines@example.com', 'ship', 'A message of Inés; with a semicolon,
in two lines.', '2026-11-16T04:00:19.051Z');
insert into contact_messages values ('141bf22e-089a-4393-ae25-fb027f5c6b12', 'O''Hara', 'ines@example.com', 'ship', 'A message of O''Hara,
in two lines.', '2026-11-16T04:00:19.057Z');
insert into admin_users values ('231a4991-e534-4d81-8d66-550d55af2a16', 'Álvaro', 'álvaro', '$argon2id$v=19$m=19456,t=2,p=1$FSWpBOBPo7CrTuNESqlDOw$xfE/lSYMit4kdeMHF/HKvr7DiJOGqbBFnjh0PC1j9Cs', '2026-11-16T04:00:18.397Z', '2026-11-16T04:00:17.921Z');
insert into images values ('35d3f342aa7ac7fc5c57c0cb6cb66137c18ca18fe4a224f12699c14a8b9b6e76', 'image/jpeg', 286, 64, 48, 'data:image/webp;base64,UklGRjwAAABXRUJQVlA4IDAAAADQAgCdASoUAA8APxFysFCsJqSisAgBgCIJQBdgBaSAAP6H18O92c3CeVorpcwHYAA=', '2026-11-16T04:00:18.835Z', null);
insert into images values ('e972c360ddaeca62128c993192034ec21f53284947f82acdb4529efc7826a7af', 'image/jpeg', 287, 64, 48, 'data:image/webp;base64,UklGRjwAAABXRUJQVlA4IDAAAACwAgCdASoUAA8APxFysFAsJqSisAgBgCIJQAAPZAAA/ug4v6tJpF5/velrgqAAAAA=', '2026-11-16T04:00:18.880Z', null);
insert into images values ('81b5d5750e6fb1a172c24f8b652eb158151638370b6f44ae291bf7b9bac9a6c0', 'image/jpeg', 287, 64, 48, 'data:image/webp;base64,UklGRjoAAABXRUJQVlA4IC4AAADQAgCdASoUAA8APxFysFAsJqSisAgBgCIJQBXDhaSAAP7q0ZTuztFpi+PwAAAA', '2026-11-16T04:00:18.958Z', null);
insert into images values ('8e77349dff05d4eff4b35944ee6938e06b15b8361f86723cfb06df68bc27b781', 'image/jpeg', 286, 64, 48, 'data:image/webp;base64,UklGRj4AAABXRUJQVlA4IDIAAADQAgCdASoUAA8APxFysFAsJqSisAgBgCIJQBOgBbHAAP7fgDVVPX01jCaRaE3y26GAAA==', '2026-11-16T04:00:19.008Z', null);
create temporary table stored_photos (hash text, content blob);
insert into stored_photos values ('35d3f342aa7ac7fc5c57c0cb6cb66137c18ca18fe4a224f12699c14a8b9b6e76', x'ffd8ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d0b0d1414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414ffc00011080030004003012200021101031101ffc4001500010100000000000000000000000000000006ffc40014100100000000000000000000000000000000ffc4001501010100000000000000000000000000000007ffc40014110100000000000000000000000000000000ffda000c03010002110311003f00a50102540000000000000000000000000000000001ffd9');
insert into stored_photos values ('81b5d5750e6fb1a172c24f8b652eb158151638370b6f44ae291bf7b9bac9a6c0', x'ffd8ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d0b0d1414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414ffc00011080030004003012200021101031101ffc4001500010100000000000000000000000000000008ffc40014100100000000000000000000000000000000ffc400160101010100000000000000000000000000000507ffc40014110100000000000000000000000000000000ffda000c03010002110311003f0093c04f6e6000000000000000000000000000000000ffd9');
insert into stored_photos values ('8e77349dff05d4eff4b35944ee6938e06b15b8361f86723cfb06df68bc27b781', x'ffd8ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d0b0d1414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414ffc00011080030004003012200021101031101ffc4001500010100000000000000000000000000000007ffc40014100100000000000000000000000000000000ffc4001501010100000000000000000000000000000007ffc40014110100000000000000000000000000000000ffda000c03010002110311003f00910093a7e000000000000000000000000000000000ffd9');
insert into stored_photos values ('e972c360ddaeca62128c993192034ec21f53284947f82acdb4529efc7826a7af', x'ffd8ffdb0043000302020302020303030304030304050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00430103040405040509050509140d0b0d1414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414ffc00011080030004003012200021101031101ffc4001500010100000000000000000000000000000008ffc40014100100000000000000000000000000000000ffc4001501010100000000000000000000000000000007ffc40014110100000000000000000000000000000000ffda000c03010002110311003f009bc0521320000000000000000000000000000000007fffd9');
