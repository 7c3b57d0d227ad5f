-- A store as version 1 of the schema wrote it: never change it. Keys: key-of-Ada, key-of-Ben.
BEGIN TRANSACTION;
CREATE TABLE events (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;
INSERT INTO "events" VALUES('bot-to-move',0,1794760358,'{"kind":"opened","edition":"classic","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"caeb8c2fc8f10337e616b2d5bf90ae7b2ec00616e94e3596eb782ab555d43625"}');
INSERT INTO "events" VALUES('bot-to-move',1,1794760358,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('bot-to-move',2,1794760358,'{"kind":"bot-sat","seat":1,"bot":"random","name":"Pip the Page"}');
INSERT INTO "events" VALUES('bot-to-move',3,1794760358,'{"kind":"started"}');
INSERT INTO "events" VALUES('bot-to-move',4,1794760358,'{"kind":"dealt","first":0,"deck":["guard","guard","princess","guard","priest","guard","countess","king","handmaid","baron","guard","prince","handmaid","priest","baron","prince"],"words":["",""],"seal":"ed7933c3f882f57f066ee2accee5e1f8406e2987f3488c37c99140600cd1eda2"}');
INSERT INTO "events" VALUES('bot-to-move',5,1794760358,'{"kind":"moved","seat":0,"move":"priest 1","by":"person"}');
INSERT INTO "events" VALUES('closed',0,1794760358,'{"kind":"opened","edition":"classic","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"31a73da3b2ae9b81c8bbdb0a81bef223323f1e3040ec665dce80506719228845"}');
INSERT INTO "events" VALUES('closed',1,1794760358,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('closed',2,1794760358,'{"kind":"closed"}');
INSERT INTO "events" VALUES('over',0,1794760359,'{"kind":"opened","edition":"house","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"8e0f2abe5d18b968f4d73edd6a5eb5de291e45822a5b434b7575bcce67e75aac"}');
INSERT INTO "events" VALUES('over',1,1794760359,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('over',2,1794760359,'{"kind":"sat","seat":1,"person":2,"name":"Ben"}');
INSERT INTO "events" VALUES('over',3,1794760359,'{"kind":"started"}');
INSERT INTO "events" VALUES('over',4,1794760359,'{"kind":"dealt","first":1,"deck":["prince","guard","baron","guard","guard","king","handmaid","princess","guard","countess","handmaid","priest","baron","prince","guard","priest"],"words":["",""],"seal":"80173f3fa22f79d88300b1f2e20d5ffe9407da6ec9bcdc1c6bfcb824296206d6"}');
INSERT INTO "events" VALUES('over',5,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 countess","by":"person"}');
INSERT INTO "events" VALUES('over',6,1794760359,'{"kind":"moved","seat":0,"move":"handmaid","by":"person"}');
INSERT INTO "events" VALUES('over',7,1794760359,'{"kind":"moved","seat":1,"move":"king","by":"person"}');
INSERT INTO "events" VALUES('over',8,1794760359,'{"kind":"moved","seat":0,"move":"guard 1 princess","by":"person"}');
INSERT INTO "events" VALUES('over',9,1794760359,'{"kind":"dealt","first":0,"deck":["guard","priest","baron","king","guard","handmaid","princess","countess","guard","baron","priest","prince","guard","guard","handmaid","prince"],"words":["",""],"seal":"f3af0d3f767f7d0b1e193b5308617bfadc559650eaf94262f7d94dce900bd6b7"}');
INSERT INTO "events" VALUES('over',10,1794760359,'{"kind":"moved","seat":0,"move":"king 1","by":"person"}');
INSERT INTO "events" VALUES('over',11,1794760359,'{"kind":"moved","seat":1,"move":"princess","by":"person"}');
INSERT INTO "events" VALUES('over',12,1794760359,'{"kind":"dealt","first":0,"deck":["handmaid","handmaid","guard","prince","baron","guard","countess","guard","baron","guard","guard","priest","king","princess","priest","prince"],"words":["",""],"seal":"89d2323cb0a7d8780b1de8ddafbccd30ff56ea0410397e2b652e0cd80358bec5"}');
INSERT INTO "events" VALUES('over',13,1794760359,'{"kind":"moved","seat":0,"move":"guard 1 baron","by":"person"}');
INSERT INTO "events" VALUES('over',14,1794760359,'{"kind":"dealt","first":0,"deck":["priest","prince","guard","prince","king","guard","guard","baron","countess","handmaid","priest","guard","princess","baron","guard","handmaid"],"words":["",""],"seal":"81484729d09ba2c0e4bb6f0f13dab61d9c27a70d97628581f0346fbac969b70f"}');
INSERT INTO "events" VALUES('over',15,1794760359,'{"kind":"moved","seat":0,"move":"prince 0","by":"person"}');
INSERT INTO "events" VALUES('over',16,1794760359,'{"kind":"moved","seat":1,"move":"king 0","by":"person"}');
INSERT INTO "events" VALUES('over',17,1794760359,'{"kind":"moved","seat":0,"move":"baron 1","by":"person"}');
INSERT INTO "events" VALUES('over',18,1794760359,'{"kind":"dealt","first":0,"deck":["guard","baron","princess","king","guard","countess","baron","prince","guard","priest","prince","handmaid","handmaid","guard","priest","guard"],"words":["",""],"seal":"39043e6eb5f7b1fb314932749c14ff54cd9bc23c8bc7a8a20bd815b0a49b1461"}');
INSERT INTO "events" VALUES('over',19,1794760359,'{"kind":"moved","seat":0,"move":"countess","by":"person"}');
INSERT INTO "events" VALUES('over',20,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 priest","by":"person"}');
INSERT INTO "events" VALUES('over',21,1794760359,'{"kind":"moved","seat":0,"move":"king 1","by":"person"}');
INSERT INTO "events" VALUES('over',22,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 baron","by":"person"}');
INSERT INTO "events" VALUES('over',23,1794760359,'{"kind":"dealt","first":1,"deck":["countess","guard","guard","baron","prince","handmaid","guard","princess","guard","guard","king","prince","handmaid","priest","priest","baron"],"words":["",""],"seal":"569e0396b5f735df89a9e88d1b8c23e34318ab5d918769d8e744d81e07611344"}');
INSERT INTO "events" VALUES('over',24,1794760359,'{"kind":"moved","seat":1,"move":"baron 0","by":"person"}');
INSERT INTO "events" VALUES('over',25,1794760359,'{"kind":"dealt","first":0,"deck":["guard","guard","priest","countess","guard","princess","handmaid","prince","priest","guard","baron","baron","king","guard","prince","handmaid"],"words":["",""],"seal":"5cb0b163a7631d83431558c4ba0130edda151ad8bab12e36082f4c1dab30b9f5"}');
INSERT INTO "events" VALUES('over',26,1794760359,'{"kind":"moved","seat":0,"move":"countess","by":"person"}');
INSERT INTO "events" VALUES('over',27,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 princess","by":"person"}');
INSERT INTO "events" VALUES('over',28,1794760359,'{"kind":"dealt","first":1,"deck":["priest","baron","guard","guard","priest","handmaid","handmaid","king","prince","baron","prince","guard","guard","guard","countess","princess"],"words":["",""],"seal":"58088aacb2ac163e7bcb485ddb224ffdd87e55f5bc443784f01b9388d46c39bf"}');
INSERT INTO "events" VALUES('over',29,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 king","by":"person"}');
INSERT INTO "events" VALUES('over',30,1794760359,'{"kind":"moved","seat":0,"move":"priest 1","by":"person"}');
INSERT INTO "events" VALUES('over',31,1794760359,'{"kind":"moved","seat":1,"move":"handmaid","by":"person"}');
INSERT INTO "events" VALUES('over',32,1794760359,'{"kind":"moved","seat":0,"move":"handmaid","by":"person"}');
INSERT INTO "events" VALUES('over',33,1794760359,'{"kind":"moved","seat":1,"move":"king","by":"person"}');
INSERT INTO "events" VALUES('over',34,1794760359,'{"kind":"moved","seat":0,"move":"prince 1","by":"person"}');
INSERT INTO "events" VALUES('over',35,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 priest","by":"person"}');
INSERT INTO "events" VALUES('over',36,1794760359,'{"kind":"moved","seat":0,"move":"guard 1 king","by":"person"}');
INSERT INTO "events" VALUES('over',37,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 priest","by":"person"}');
INSERT INTO "events" VALUES('over',38,1794760359,'{"kind":"moved","seat":0,"move":"prince 0","by":"person"}');
INSERT INTO "events" VALUES('over',39,1794760359,'{"kind":"dealt","first":1,"deck":["baron","guard","guard","priest","king","guard","countess","baron","princess","guard","handmaid","prince","priest","handmaid","guard","prince"],"words":["",""],"seal":"75d912bd3579022abe7033798c7fab2cd59ed73334002dad433fb0e0323648df"}');
INSERT INTO "events" VALUES('over',40,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 king","by":"person"}');
INSERT INTO "events" VALUES('over',41,1794760359,'{"kind":"dealt","first":1,"deck":["handmaid","guard","countess","guard","baron","prince","guard","handmaid","priest","prince","guard","princess","king","baron","guard","priest"],"words":["",""],"seal":"adfb19369e19befbbe23a1d3daa7f19d9dfbc22d65c147db49d8414883f26271"}');
INSERT INTO "events" VALUES('over',42,1794760359,'{"kind":"moved","seat":1,"move":"prince 0","by":"person"}');
INSERT INTO "events" VALUES('over',43,1794760359,'{"kind":"moved","seat":0,"move":"guard 1 priest","by":"person"}');
INSERT INTO "events" VALUES('over',44,1794760359,'{"kind":"moved","seat":1,"move":"guard 0 baron","by":"person"}');
INSERT INTO "events" VALUES('over',45,1794760359,'{"kind":"moved","seat":0,"move":"prince 0","by":"person"}');
INSERT INTO "events" VALUES('over',46,1794760359,'{"kind":"moved","seat":1,"move":"priest 0","by":"person"}');
INSERT INTO "events" VALUES('over',47,1794760359,'{"kind":"moved","seat":0,"move":"guard 1 handmaid","by":"person"}');
INSERT INTO "events" VALUES('over',48,1794760359,'{"kind":"moved","seat":1,"move":"princess","by":"person"}');
INSERT INTO "events" VALUES('over',49,1794760359,'{"kind":"dealt","first":0,"deck":["priest","guard","guard","prince","princess","handmaid","priest","prince","guard","baron","handmaid","king","guard","baron","guard","countess"],"words":["",""],"seal":"e73534733f70d84fc7e69570cf4053b4a14b370919d3ebd4125c27c83cb01334"}');
INSERT INTO "events" VALUES('over',50,1794760359,'{"kind":"moved","seat":0,"move":"handmaid","by":"person"}');
INSERT INTO "events" VALUES('over',51,1794760359,'{"kind":"moved","seat":1,"move":"princess","by":"person"}');
INSERT INTO "events" VALUES('over',52,1794760359,'{"kind":"rematch","table":"rematch"}');
INSERT INTO "events" VALUES('playing',0,1794760358,'{"kind":"opened","edition":"modern","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":true,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"68bb26b6d77d1fa430d4f69c5010211b96db7bc76396bf2d5bde79283a57ec47"}');
INSERT INTO "events" VALUES('playing',1,1794760358,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('playing',2,1794760358,'{"kind":"sat","seat":1,"person":2,"name":"Ben"}');
INSERT INTO "events" VALUES('playing',3,1794760358,'{"kind":"started"}');
INSERT INTO "events" VALUES('playing',4,1794760358,'{"kind":"dealt","first":0,"deck":["baron","guard","handmaid","guard","countess","king","chancellor","chancellor","guard","priest","prince","princess","baron","guard","spy","handmaid","guard","priest","spy","guard","prince"],"words":["",""],"seal":"4acfdc7a3f74c7e2377cde093eb6eadac8fe246c9b8e697eac6f00a5a5f2982a"}');
INSERT INTO "events" VALUES('playing',5,1794760358,'{"kind":"moved","seat":0,"move":"chancellor","by":"person"}');
INSERT INTO "events" VALUES('playing',6,1794760358,'{"kind":"moved","seat":0,"move":"keep guard chancellor countess","by":"person"}');
INSERT INTO "events" VALUES('playing',7,1794760358,'{"kind":"moved","seat":1,"move":"king 0","by":"person"}');
INSERT INTO "events" VALUES('playing',8,1794760358,'{"kind":"moved","seat":0,"move":"prince 0","by":"person"}');
INSERT INTO "events" VALUES('rematch',0,1794760359,'{"kind":"opened","edition":"house","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"98e4d0fc9b4cd653845d6168664c947acb92845152a49c03f0886afd0195d71a"}');
INSERT INTO "events" VALUES('rematch',1,1794760359,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('rematch',2,1794760359,'{"kind":"sat","seat":1,"person":2,"name":"Ben"}');
INSERT INTO "events" VALUES('resting',0,1794760358,'{"kind":"opened","edition":"house","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":3600.0,"host":1,"secret":"ff6f549c395a10bded6627337840c99bd41f6dd0d5cba807c0f7d3327b5c3704"}');
INSERT INTO "events" VALUES('resting',1,1794760358,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('resting',2,1794760358,'{"kind":"sat","seat":1,"person":2,"name":"Ben"}');
INSERT INTO "events" VALUES('resting',3,1794760358,'{"kind":"started"}');
INSERT INTO "events" VALUES('resting',4,1794760358,'{"kind":"dealt","first":0,"deck":["handmaid","guard","guard","guard","guard","guard","princess","baron","handmaid","king","priest","prince","priest","baron","countess","prince"],"words":["",""],"seal":"c3e8caad5d7c5f74b5af8101593d1d191986b4befbbbd2728625bc6655245d0e"}');
INSERT INTO "events" VALUES('resting',5,1794760358,'{"kind":"moved","seat":0,"move":"guard 1 baron","by":"person"}');
INSERT INTO "events" VALUES('resting',6,1794760358,'{"kind":"moved","seat":1,"move":"princess","by":"person"}');
INSERT INTO "events" VALUES('resting',7,1794760358,'{"kind":"word","seat":1,"word":"rose"}');
INSERT INTO "events" VALUES('solo',0,1794760359,'{"kind":"opened","edition":"solitaire","players":1,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"6b225e5d08253c2bb71bad813fd91b4cfb220a6e26c028e1f9ad8c18e16eb2ef"}');
INSERT INTO "events" VALUES('solo',1,1794760359,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('solo',2,1794760359,'{"kind":"started"}');
INSERT INTO "events" VALUES('solo',3,1794760359,'{"kind":"dealt","first":0,"deck":["guard","guard","king","handmaid","prince","baron","countess","guard","prince","guard","handmaid","guard","priest","baron","priest"],"words":[""],"seal":"6090dea1b602b0041d3a8df97d2d6c1e2c39823140982587c74045fd69c3147e"}');
INSERT INTO "events" VALUES('solo',4,1794760359,'{"kind":"moved","seat":0,"move":"draw","by":"person"}');
INSERT INTO "events" VALUES('solo',5,1794760359,'{"kind":"moved","seat":0,"move":"countess","by":"person"}');
INSERT INTO "events" VALUES('solo',6,1794760359,'{"kind":"moved","seat":0,"move":"offer agent","by":"person"}');
INSERT INTO "events" VALUES('stand-in',0,1794760358,'{"kind":"opened","edition":"premium","players":2,"options":{"bishop_names_one":true,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":false,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"85fc18084034e7336c397e02a2ba8d9ded68019827e64ce544890e1bdd24f20a"}');
INSERT INTO "events" VALUES('stand-in',1,1794760358,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('stand-in',2,1794760358,'{"kind":"sat","seat":1,"person":2,"name":"Ben"}');
INSERT INTO "events" VALUES('stand-in',3,1794760358,'{"kind":"started"}');
INSERT INTO "events" VALUES('stand-in',4,1794760358,'{"kind":"dealt","first":1,"deck":["baron","baron","handmaid","guard","king","guard","prince","priest","countess","prince","handmaid","guard","priest","guard","princess","guard"],"words":["",""],"seal":"5107c526e429aa98ca7763d190802c39bc1a7e7e2e27dae119e120857981ca22"}');
INSERT INTO "events" VALUES('stand-in',5,1794760358,'{"kind":"handed","seat":1,"bot":"random","absent":false}');
INSERT INTO "events" VALUES('stand-in',6,1794760359,'{"kind":"moved","seat":1,"move":"prince 1","by":"bot"}');
INSERT INTO "events" VALUES('waiting',0,1794760358,'{"kind":"opened","edition":"premium","players":5,"options":{"bishop_names_one":false,"sycophant_on_actor":"fizzle","premium_match_tie":"tiebreak","house_full_tie":"all","solo_prince":"replace","solo_last_card":"win"},"open":true,"pace_ms":0,"rest_s":0.0,"host":1,"secret":"e85a761afa272bf46ead970fd5bafd53fecd7f6232e89efa3fe96132307f4deb"}');
INSERT INTO "events" VALUES('waiting',1,1794760358,'{"kind":"sat","seat":0,"person":1,"name":"Ada"}');
INSERT INTO "events" VALUES('waiting',2,1794760358,'{"kind":"bot-sat","seat":2,"bot":"novice","name":"Rosamund the Lady-in-Waiting"}');
INSERT INTO "events" VALUES('waiting',3,1794760358,'{"kind":"word","seat":0,"word":"été"}');
CREATE TABLE keys (
        digest BLOB PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES persons,
        seen INTEGER NOT NULL
    ) WITHOUT ROWID;
INSERT INTO "keys" VALUES(X'DADC784994EF46813D28F771D8D23600454CF2542EB910920C0F6C860F28F0EF',2,0);
INSERT INTO "keys" VALUES(X'B883E730A6D06E6292A42EF166CC9137A3E20E525058DB5C7A3563F6A174AF16',1,0);
CREATE TABLE members (
        person INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) WITHOUT ROWID;
INSERT INTO "members" VALUES(1,'bot-to-move');
INSERT INTO "members" VALUES(1,'closed');
INSERT INTO "members" VALUES(1,'over');
INSERT INTO "members" VALUES(2,'over');
INSERT INTO "members" VALUES(1,'playing');
INSERT INTO "members" VALUES(2,'playing');
INSERT INTO "members" VALUES(1,'rematch');
INSERT INTO "members" VALUES(2,'rematch');
INSERT INTO "members" VALUES(1,'resting');
INSERT INTO "members" VALUES(2,'resting');
INSERT INTO "members" VALUES(1,'solo');
INSERT INTO "members" VALUES(1,'stand-in');
INSERT INTO "members" VALUES(2,'stand-in');
INSERT INTO "members" VALUES(1,'waiting');
CREATE TABLE persons (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, since INTEGER NOT NULL);
INSERT INTO "persons" VALUES(1,'Ada',1794760358);
INSERT INTO "persons" VALUES(2,'Ben',1794760358);
CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        host INTEGER NOT NULL,
        edition TEXT NOT NULL,
        open INTEGER NOT NULL,
        status TEXT NOT NULL,
        due INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) WITHOUT ROWID;
INSERT INTO "tables" VALUES('bot-to-move',1,'classic',0,'playing',1,1794760320);
INSERT INTO "tables" VALUES('closed',1,'classic',0,'closed',0,1794760320);
INSERT INTO "tables" VALUES('over',1,'house',0,'over',0,1794760320);
INSERT INTO "tables" VALUES('playing',1,'modern',1,'playing',0,1794760320);
INSERT INTO "tables" VALUES('rematch',1,'house',0,'waiting',0,1794760320);
INSERT INTO "tables" VALUES('resting',1,'house',0,'playing',1,1794760320);
INSERT INTO "tables" VALUES('solo',1,'solitaire',0,'playing',0,1794760320);
INSERT INTO "tables" VALUES('stand-in',1,'premium',0,'playing',0,1794760320);
INSERT INTO "tables" VALUES('waiting',1,'premium',1,'waiting',0,1794760320);
CREATE TABLE transfers (digest BLOB PRIMARY KEY, person INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX keys_of ON keys (person);
CREATE INDEX tables_open ON tables (open, status, updated);
CREATE INDEX tables_due ON tables (due) WHERE due = 1;
CREATE INDEX tables_host ON tables (host, status);
CREATE INDEX members_at ON members (table_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('persons',2);
COMMIT;
PRAGMA user_version = 1;
