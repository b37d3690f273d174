CREATE TABLE `project` (
          `id` text PRIMARY KEY,
          `worktree` text NOT NULL,
          `vcs` text,
          `name` text,
          `icon_url` text,
          `icon_url_override` text,
          `icon_color` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_initialized` integer,
          `sandboxes` text NOT NULL,
          `commands` text
        );
CREATE TABLE `session` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `workspace_id` text,
          `parent_id` text,
          `slug` text NOT NULL,
          `directory` text NOT NULL,
          `path` text,
          `title` text NOT NULL,
          `version` text NOT NULL,
          `share_url` text,
          `summary_additions` integer,
          `summary_deletions` integer,
          `summary_files` integer,
          `summary_diffs` text,
          `metadata` text,
          `cost` real DEFAULT 0 NOT NULL,
          `tokens_input` integer DEFAULT 0 NOT NULL,
          `tokens_output` integer DEFAULT 0 NOT NULL,
          `tokens_reasoning` integer DEFAULT 0 NOT NULL,
          `tokens_cache_read` integer DEFAULT 0 NOT NULL,
          `tokens_cache_write` integer DEFAULT 0 NOT NULL,
          `revert` text,
          `permission` text,
          `agent` text,
          `model` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_compacting` integer,
          `time_archived` integer,
          CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE INDEX `session_project_idx` ON `session` (`project_id`);
CREATE INDEX `session_workspace_idx` ON `session` (`workspace_id`);
CREATE INDEX `session_parent_idx` ON `session` (`parent_id`);
CREATE TABLE `message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE INDEX `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`);
CREATE TABLE `part` (
          `id` text PRIMARY KEY,
          `message_id` text NOT NULL,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
        );
CREATE INDEX `part_message_id_id_idx` ON `part` (`message_id`,`id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
INSERT INTO session VALUES('ses_dd579ef8affeLae8Cs4zy9S41U','global',NULL,NULL,'clever-otter','/home/ada/shop','','Title of it','1.18.33',NULL,0,0,0,NULL,NULL,0.0,800,160,0,0,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"test-model","providerID":"t","variant":"default"}',1796009758837,1796009788495,NULL,NULL);
INSERT INTO message VALUES('msg_22a86115d001dVeNpduqxtguCS','ses_dd579ef8affeLae8Cs4zy9S41U',1796009759069,1796009769151,'{"role":"user","time":{"created":1796009759069},"agent":"build","model":{"providerID":"t","modelID":"test-model"},"summary":{"diffs":[]}}');
INSERT INTO message VALUES('msg_22a86182b001wB6CV6fib7H3YP','ses_dd579ef8affeLae8Cs4zy9S41U',1796009760811,1796009763135,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009760811,"completed":1796009763130},"finish":"tool-calls"}');
INSERT INTO message VALUES('msg_22a862145001hqiVjDiO1fSkT0','ses_dd579ef8affeLae8Cs4zy9S41U',1796009763141,1796009764982,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009763141,"completed":1796009764981},"finish":"tool-calls"}');
INSERT INTO message VALUES('msg_22a862882001r3wb2F4WcLXN0b','ses_dd579ef8affeLae8Cs4zy9S41U',1796009764994,1796009766379,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009764994,"completed":1796009766373},"finish":"tool-calls"}');
INSERT INTO message VALUES('msg_22a862df6001g8KEtt3hNfCZ6L','ses_dd579ef8affeLae8Cs4zy9S41U',1796009766390,1796009767263,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009766390,"completed":1796009767262},"finish":"tool-calls"}');
INSERT INTO message VALUES('msg_22a8631620013Zuk4IGi6JuLCD','ses_dd579ef8affeLae8Cs4zy9S41U',1796009767266,1796009768049,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009767266,"completed":1796009768047},"finish":"tool-calls"}');
INSERT INTO message VALUES('msg_22a863475001d1gnHHVkFbcDZl','ses_dd579ef8affeLae8Cs4zy9S41U',1796009768053,1796009768946,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009768053,"completed":1796009768943},"finish":"tool-calls"}');
INSERT INTO message VALUES('msg_22a8637f60017bkZH2PZ8UCYm2','ses_dd579ef8affeLae8Cs4zy9S41U',1796009768950,1796009769326,'{"parentID":"msg_22a86115d001dVeNpduqxtguCS","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009768950,"completed":1796009769324},"finish":"stop"}');
INSERT INTO message VALUES('msg_22a867022001kpIGkkVu4IuL08','ses_dd579ef8affeLae8Cs4zy9S41U',1796009783330,1796009785761,'{"role":"user","time":{"created":1796009783330},"agent":"build","model":{"providerID":"t","modelID":"test-model"},"summary":{"diffs":[]}}');
INSERT INTO message VALUES('msg_22a867858001hOKS94JnR505vG','ses_dd579ef8affeLae8Cs4zy9S41U',1796009785432,1796009788488,'{"parentID":"msg_22a867022001kpIGkkVu4IuL08","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/ada/shop","root":"/home/ada/shop"},"cost":0,"tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"modelID":"test-model","providerID":"t","time":{"created":1796009785432,"completed":1796009788486},"finish":"stop"}');
INSERT INTO part VALUES('prt_22a8611660016VpfihKGezaFAh','msg_22a86115d001dVeNpduqxtguCS','ses_dd579ef8affeLae8Cs4zy9S41U',1796009760738,1796009760748,'{"type":"text","text":"\"The first prompt, please\""}');
INSERT INTO part VALUES('prt_22a861f8d001hMV7HKKjLpJOHW','msg_22a86182b001wB6CV6fib7H3YP','ses_dd579ef8affeLae8Cs4zy9S41U',1796009762702,1796009762704,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a861f92001Kk2sKPRKlhH5s5','msg_22a86182b001wB6CV6fib7H3YP','ses_dd579ef8affeLae8Cs4zy9S41U',1796009762706,1796009762719,'{"type":"reasoning","text":"Look at it.","time":{"start":1796009762706,"end":1796009762718}}');
INSERT INTO part VALUES('prt_22a861fa5001kxcYGW2fI5oft1','msg_22a86182b001wB6CV6fib7H3YP','ses_dd579ef8affeLae8Cs4zy9S41U',1796009762725,1796009762768,'{"type":"text","text":"Let me look.","time":{"start":1796009762725,"end":1796009762766}}');
INSERT INTO part VALUES('prt_22a861fac001z3Pk5HP4imlHeO','msg_22a86182b001wB6CV6fib7H3YP','ses_dd579ef8affeLae8Cs4zy9S41U',1796009762733,1796009762911,'{"type":"tool","tool":"bash","callID":"call_1796009762691197831","state":{"status":"completed","input":{"command":"printf \"one\\ntwo\\n\"; cat a.txt","description":"Print lines"},"output":"one\ntwo\nhello\n","metadata":{"output":"one\ntwo\nhello\n","exit":0,"truncated":false},"title":"printf \"one\\ntwo\\n\"; cat a.txt","time":{"start":1796009762753,"end":1796009762909}}}');
INSERT INTO part VALUES('prt_22a8620bd00112wje4RHNQDZTy','msg_22a86182b001wB6CV6fib7H3YP','ses_dd579ef8affeLae8Cs4zy9S41U',1796009763005,1796009763009,'{"reason":"tool-calls","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a8622ce001LVQTfp4WlGhmoK','msg_22a862145001hqiVjDiO1fSkT0','ses_dd579ef8affeLae8Cs4zy9S41U',1796009763534,1796009763537,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a8622d4001fQPp2tseBKBD37','msg_22a862145001hqiVjDiO1fSkT0','ses_dd579ef8affeLae8Cs4zy9S41U',1796009763540,1796009763937,'{"type":"tool","tool":"read","callID":"call_1796009763497590695","state":{"status":"completed","input":{"filePath":"/home/ada/shop/a.txt"},"output":"<path>/home/ada/shop/a.txt</path>\n<type>file</type>\n<content>\n1: hello\n\n(End of file - total 1 lines)\n</content>","metadata":{"preview":"hello","truncated":false,"loaded":[],"display":{"type":"file","path":"/home/ada/shop/a.txt","text":"hello","lineStart":1,"lineEnd":1,"totalLines":1,"truncated":false}},"title":"../project/a.txt","time":{"start":1796009763565,"end":1796009763927}}}');
INSERT INTO part VALUES('prt_22a862634001UQjggwcSugur21','msg_22a862145001hqiVjDiO1fSkT0','ses_dd579ef8affeLae8Cs4zy9S41U',1796009764405,1796009764421,'{"reason":"tool-calls","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a862af6001oYfaeP3VAeMtWa','msg_22a862882001r3wb2F4WcLXN0b','ses_dd579ef8affeLae8Cs4zy9S41U',1796009765622,1796009765623,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a862b0a0015ZxHhPBuMVtcoj','msg_22a862882001r3wb2F4WcLXN0b','ses_dd579ef8affeLae8Cs4zy9S41U',1796009765642,1796009765882,'{"type":"tool","tool":"edit","callID":"call_1796009765604709968","state":{"status":"completed","input":{"filePath":"/home/ada/shop/a.txt","oldString":"hello","newString":"hello world"},"output":"Edit applied successfully.","metadata":{"diagnostics":{},"diff":"Index: /home/ada/shop/a.txt\n===================================================================\n--- /home/ada/shop/a.txt\n+++ /home/ada/shop/a.txt\n@@ -1,1 +1,1 @@\n-hello\n+hello world\n","filediff":{"file":"/home/ada/shop/a.txt","patch":"Index: /home/ada/shop/a.txt\n===================================================================\n--- /home/ada/shop/a.txt\n+++ /home/ada/shop/a.txt\n@@ -1,1 +1,1 @@\n-hello\n+hello world\n","additions":1,"deletions":1},"truncated":false},"title":"../project/a.txt","time":{"start":1796009765682,"end":1796009765881}}}');
INSERT INTO part VALUES('prt_22a862b3b001fNWRzCoNXZl6IG','msg_22a862882001r3wb2F4WcLXN0b','ses_dd579ef8affeLae8Cs4zy9S41U',1796009765691,1796009765845,'{"type":"tool","tool":"write","callID":"call_1796009765604720083","state":{"status":"completed","input":{"filePath":"/home/ada/shop/b.txt","content":"new\n"},"output":"Wrote file successfully.","metadata":{"diagnostics":{},"filepath":"/home/ada/shop/b.txt","exists":false,"truncated":false},"title":"../project/b.txt","time":{"start":1796009765720,"end":1796009765844}}}');
INSERT INTO part VALUES('prt_22a862cf5001nDXkRO50dKy4Da','msg_22a862882001r3wb2F4WcLXN0b','ses_dd579ef8affeLae8Cs4zy9S41U',1796009766134,1796009766137,'{"reason":"tool-calls","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a862f67001pLz7NV9E2sw5uV','msg_22a862df6001g8KEtt3hNfCZ6L','ses_dd579ef8affeLae8Cs4zy9S41U',1796009766759,1796009766760,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a862f69001AvMsk348RnAnnk','msg_22a862df6001g8KEtt3hNfCZ6L','ses_dd579ef8affeLae8Cs4zy9S41U',1796009766762,1796009766839,'{"type":"tool","tool":"bash","callID":"call_1796009766757067404","state":{"status":"completed","input":{"command":"echo oops >&2; exit 3","description":"Fail"},"output":"oops\n","metadata":{"output":"oops\n","exit":3,"truncated":false},"title":"echo oops >&2; exit 3","time":{"start":1796009766769,"end":1796009766838}}}');
INSERT INTO part VALUES('prt_22a8630f5001OZYFeSxZVc2trZ','msg_22a862df6001g8KEtt3hNfCZ6L','ses_dd579ef8affeLae8Cs4zy9S41U',1796009767157,1796009767159,'{"reason":"tool-calls","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a8632ab001eQ9fFu7GyRzK92','msg_22a8631620013Zuk4IGi6JuLCD','ses_dd579ef8affeLae8Cs4zy9S41U',1796009767595,1796009767596,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a8632ae001PGfI2jxihxWJ7k','msg_22a8631620013Zuk4IGi6JuLCD','ses_dd579ef8affeLae8Cs4zy9S41U',1796009767598,1796009767654,'{"type":"tool","tool":"todowrite","callID":"call_1796009767565381007","state":{"status":"completed","input":{"todos":[{"content":"Look","status":"completed","activeForm":"Looking","priority":"high","id":"1"},{"content":"Edit","status":"in_progress","activeForm":"Editing","priority":"low","id":"2"}]},"output":"[\n  {\n    \"content\": \"Look\",\n    \"status\": \"completed\",\n    \"priority\": \"high\"\n  },\n  {\n    \"content\": \"Edit\",\n    \"status\": \"in_progress\",\n    \"priority\": \"low\"\n  }\n]","metadata":{"todos":[{"content":"Look","status":"completed","priority":"high"},{"content":"Edit","status":"in_progress","priority":"low"}],"truncated":false},"title":"1 todos","time":{"start":1796009767635,"end":1796009767653}}}');
INSERT INTO part VALUES('prt_22a8633f0001loP25kkPTL3ej9','msg_22a8631620013Zuk4IGi6JuLCD','ses_dd579ef8affeLae8Cs4zy9S41U',1796009767921,1796009767922,'{"reason":"tool-calls","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a86356b0017oIWC1fgh1aFlV','msg_22a863475001d1gnHHVkFbcDZl','ses_dd579ef8affeLae8Cs4zy9S41U',1796009768299,1796009768302,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a863574001b3kBJvQZX8gKtr','msg_22a863475001d1gnHHVkFbcDZl','ses_dd579ef8affeLae8Cs4zy9S41U',1796009768308,1796009768417,'{"type":"tool","tool":"grep","callID":"call_1796009768275220005","state":{"status":"completed","input":{"pattern":"hello","path":"/home/ada/shop"},"output":"Found 1 matches\n/home/ada/shop/a.txt:\n  Line 1: hello world\n","metadata":{"matches":1,"truncated":false},"title":"hello","time":{"start":1796009768316,"end":1796009768416}}}');
INSERT INTO part VALUES('prt_22a8636d1001VKdoj4QPKnQN4C','msg_22a863475001d1gnHHVkFbcDZl','ses_dd579ef8affeLae8Cs4zy9S41U',1796009768658,1796009768661,'{"reason":"tool-calls","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a8638d7001JH7086j9OAqxQZ','msg_22a8637f60017bkZH2PZ8UCYm2','ses_dd579ef8affeLae8Cs4zy9S41U',1796009769175,1796009769178,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a8638db0017LKzXjITWJvWmN','msg_22a8637f60017bkZH2PZ8UCYm2','ses_dd579ef8affeLae8Cs4zy9S41U',1796009769179,1796009769182,'{"type":"text","text":"I changed a.txt. 😀","time":{"start":1796009769179,"end":1796009769181}}');
INSERT INTO part VALUES('prt_22a863910001jilW6UC17WS3GZ','msg_22a8637f60017bkZH2PZ8UCYm2','ses_dd579ef8affeLae8Cs4zy9S41U',1796009769232,1796009769233,'{"reason":"stop","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
INSERT INTO part VALUES('prt_22a867769001PjCHNfnH4zv7fn','msg_22a867022001kpIGkkVu4IuL08','ses_dd579ef8affeLae8Cs4zy9S41U',1796009785298,1796009785302,'{"type":"text","synthetic":true,"text":"Called the Read tool with the following input: {\"filePath\":\"/home/ada/shop/pic.png\"}"}');
INSERT INTO part VALUES('prt_22a867769002PyOU62dZRHQMBB','msg_22a867022001kpIGkkVu4IuL08','ses_dd579ef8affeLae8Cs4zy9S41U',1796009785303,1796009785304,'{"type":"text","synthetic":true,"text":"Image read successfully"}');
INSERT INTO part VALUES('prt_22a867769003nyzAo71q8oADQw','msg_22a867022001kpIGkkVu4IuL08','ses_dd579ef8affeLae8Cs4zy9S41U',1796009785306,1796009785307,'{"type":"file","mime":"image/png","url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC","synthetic":true,"filename":"pic.png"}');
INSERT INTO part VALUES('prt_22a8677690043DQlzuG3dwO2Af','msg_22a867022001kpIGkkVu4IuL08','ses_dd579ef8affeLae8Cs4zy9S41U',1796009785308,1796009785309,'{"type":"text","text":"\"The second prompt with a picture\""}');
INSERT INTO part VALUES('prt_22a868264001vZb35PZCVRpo2K','msg_22a867858001hOKS94JnR505vG','ses_dd579ef8affeLae8Cs4zy9S41U',1796009788007,1796009788011,'{"snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-start"}');
INSERT INTO part VALUES('prt_22a868276001GRHHknvG2ZjC49','msg_22a867858001hOKS94JnR505vG','ses_dd579ef8affeLae8Cs4zy9S41U',1796009788022,1796009788087,'{"type":"text","text":"Second answer.","time":{"start":1796009788022,"end":1796009788069}}');
INSERT INTO part VALUES('prt_22a868354001YkES4w9v4j12fX','msg_22a867858001hOKS94JnR505vG','ses_dd579ef8affeLae8Cs4zy9S41U',1796009788245,1796009788259,'{"reason":"stop","snapshot":"3a7bc35534f2df2b5469e9af72be800d137908f8","type":"step-finish","tokens":{"total":120,"input":100,"output":20,"reasoning":0,"cache":{"write":0,"read":0}},"cost":0}');
