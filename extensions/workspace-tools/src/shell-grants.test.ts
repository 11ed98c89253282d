import { expect, test } from "bun:test";
import { commandQuirks } from "@incipit/testkit";
import { shellCommands } from "@incipit/schema";
import fc from "fast-check";
import { grantedShell, shellPreview, shellScopes } from "./shell-grants.ts";

const patterns = `
  git status:*, git diff:*, git log:*, git grep:*, git branch:*, git show:*, ls:*, cat:*, grep:*, head:*,
  find:*, sort:*, uniq:*, rg:*, date:*, tree:*, hostname:*, xxd:*, cd src, bun test, echo done, sh, python3,
  git commit -m x
`
  .trim()
  .split(/,\s+/);

const granted: readonly (readonly [command: string, by: readonly string[]])[] = [
  ["git status", ["git status:*"]],
  ["  git   status\t-s ", ["git status:*"]],
  ["git status\n", ["git status:*"]],
  ["git status -- src/a.ts", ["git status:*"]],
  ["git diff HEAD~1 HEAD^ --stat", ["git diff:*"]],
  ["git log --oneline -n 5 --author='a; rm -rf x && $(y) `z`'", ["git log:*"]],
  ["git branch --list", ["git branch:*"]],
  ['git show HEAD:"a\nb"', ["git show:*"]],
  ["git status . && git diff", ["git status:*", "git diff:*"]],
  ["git status .&&git commit -m x;git diff|head -n 3", ["git status:*", "git commit -m x", "git diff:*", "head:*"]],
  ["ls -la || echo done", ["ls:*", "echo done"]],
  ["cat über.md", ["cat:*"]],
  ["cat 'a b'/\"c d\"", ["cat:*"]],
  ["grep -rn 'a|b' src | sort -t, -k2,2n -u", ["grep:*", "sort:*"]],
  ["find . -name '*.ts' -type f -mtime -7", ["find:*"]],
  ["sort a | uniq -c", ["sort:*", "uniq:*"]],
  ["rg -n --type=ts 'a' src", ["rg:*"]],
  ["date -u +%F", ["date:*"]],
  ["cd src && bun test", ["cd src", "bun test"]],
  ["head -5 a@b_c,d+e%f=g", ["head:*"]],
];

test("grantedShell returns the grants that together allow a command", () => {
  for (const [command, by] of granted)
    expect([command, grantedShell(command, patterns)]).toEqual([command, [...by]]);
});

const simpleAsked = `
  rm -rf x ¦ git ¦ git push ¦ git statusx ¦ git 'status' && rm x ¦ git status && rm -rf x ¦
  git status || rm -rf x ¦ git status; rm -rf x ¦ git status | sh ¦ git status |& cat ¦ git status & rm x ¦
  git status & ¦ git status &&& git status ¦ git status ;; git status ¦ git status; ¦ git status && ¦
  && git status ¦ git status $(rm x) ¦ git status "$(rm x)" ¦ git status $HOME ¦ git status "$HOME" ¦
  git status $'a' ¦ git status > a ¦ git status >> a ¦ git status 2>&1 ¦ git status 2>a ¦ cat < /etc/passwd ¦
  cat <(rm x) ¦ GIT_PAGER=sh git log ¦ A=1 ¦ PATH=. git status ¦ sudo git status ¦ env git status ¦
  xargs git status ¦ git status | xargs rm ¦ sh -c 'git status' ¦ eval git status ¦ exec git status ¦
  command git status ¦ . ./x ¦ (git status) ¦ { git status; } ¦ ! git status ¦ if git status ¦ while git status ¦
  git() { rm x; } ¦ 'git' status ¦ git -c alias.status='!rm x' status ¦ git --exec-path=. status ¦
  git -C .. status ¦ git --git-dir=x status ¦ git diff --ext-diff ¦ git diff --output=.bashrc ¦
  git diff --output .bashrc ¦ git diff --outp .bashrc ¦ git log --output=a ¦ git log -c core.pager=./x ¦
  git log --show-signature ¦ git show --ext-d ¦ git grep --open-files-in-pager=./x a ¦ git grep -O./x a ¦
  git grep -nO a ¦ git branch -D main ¦ git branch -vD main ¦ git branch new ¦ git branch --list -- new ¦
  git status --help ¦ find . -exec rm {} + ¦ find . -execdir rm x ¦ find . -ok rm x ¦ find . -delete ¦
  find . -fprint a ¦ find . -fls a ¦ find . -name x -- -delete ¦ sort -o a b ¦ sort -oa b ¦ sort -uo a b ¦
  sort --out=a b ¦ sort --output a b ¦ sort -- -o a b ¦ sort -k1 -oa ¦ sort -T. a ¦
  sort --compress-program=./x a ¦ sort --comp ./x a ¦ rg --pre ./x a ¦ rg --pre=./x a ¦ rg --hostname-bin ./x a ¦
  rg -z a ¦ uniq a b ¦ uniq -c a b ¦ uniq -- a b ¦ uniq - b ¦ tree -o a ¦ tree -aoa ¦ tree -R -L 1 ¦
  date -s tomorrow ¦ date --set=tomorrow ¦ date --se tomorrow ¦ date -us tomorrow ¦ date 010203042030 ¦
  date +%F 010203042030 ¦ hostname evil ¦ hostname -F a ¦ xxd a b ¦ xxd -r a ¦ xxd a -s1 ¦ uniq a -c ¦
  uniq a -- b ¦ uniq -- a -c ¦ hostname -- -f ¦ ./git status ¦ /tmp/ls ¦ /usr/bin/git status ¦ LS ¦ Git status ¦
  git STATUS ¦ cat * ¦ cat ? ¦ cat [ab] ¦ cat {a,b} ¦ cat ~/x ¦ cat =x ¦ cat a#b ¦ cat 'a ¦ cat "a ¦ bun test x ¦
  cd src/.. ¦ echo done now ¦ ls -l | xargs ls ¦ git status && make
`
  .trim()
  .split(/\s¦\s+/);

const asked: readonly string[] = [
  ...simpleAsked,
  // Input makes an exactly granted program do more than its words.
  "cat x | sh",
  "grep -rn a src | python3",
  "sort a | uniq -c | sh",
  "cat x | git commit -m x",
  // Formats that run the signature program, or come from the configuration.
  "git log --format=%GG",
  "git log --format='%h %+GS'",
  "git show --pretty=%G?",
  "git log --pretty=mine",
  "git branch --format='%(signature)'",
  "git branch --format '%(*signature:grade)'",
  "",
  "   ",
  "git status\nrm -rf x",
  "git status\rrm -rf x",
  "git status\u2028rm -rf x",
  "git status\u00A0x",
  "git status \u202Ex",
  "git status \u001B[2J",
  "git status `rm x`",
  'git status "`rm x`"',
  "git status ${x:-y}",
  "cat <<EOF\nx\nEOF",
  "g\\it status",
  "git status \\",
  "bun  test --preload ./x",
];

test("[attack:process-allowed-command-more] grantedShell rejects a partly unknown or ungranted command", () => {
  expect(asked.length).toBeGreaterThan(60);
  for (const command of asked) expect([command, grantedShell(command, patterns)]).toEqual([command, []]);
});

test("grantedShell accepts a pattern with the identical text", () => {
  const command = 'rm -rf "$X" > a && (b)';

  expect(grantedShell(command, [...patterns, command])).toEqual([command]);
  expect(grantedShell(`${command} c`, [...patterns, command])).toEqual([]);
  expect(grantedShell("sudo ls", ["sudo ls"])).toEqual(["sudo ls"]);
  for (const command of ["sudo ls", "make test", "git commit -m x", "curl -o a b", "node -e 1", "env ls", "git"])
    expect([command, grantedShell(command, [`${command.split(" ")[0]}:*`])]).toEqual([command, []]);
});

test("grantedShell rejects anything appended to a granted command", () => {
  const joint = fc.constantFrom(";", "&&", "||", "|", "&", "\n", "$(", "`", ">", "<", "(", "\\\n");
  const property = fc.property(fc.constantFrom(...granted), joint, fc.string(), ([command], between, more) => {
    const whole = `${command} ${between} rm ${more}`;
    expect([whole, grantedShell(whole, patterns)]).toEqual([whole, []]);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("[attack:process-allowed-command-more] grantedShell is fast for a command of any length", () => {
  const many = Array.from({ length: 1_200 }, (_, index) => `git x${index}:*`);

  for (const long of [
    "ls;".repeat(33_000),
    `a${"~".repeat(99_000)}`,
    "'a'".repeat(33_000),
    '"'.repeat(99_999),
    "ls ",
  ])
    expect(grantedShell(`${long}ls`, many)).toEqual([]);

  expect(grantedShell(`ls${";ls".repeat(98)}`, ["ls"])).toEqual(["ls"]);
}, 120_000); // A quadratic algorithm takes minutes.

test("shellCommands returns the words that sh receives", async () => {
  const word = fc
    .array(
      fc.constantFrom("a", "b-c", "'d e'", '"f"', '""', "g=h", "i~j", "k^", "'l\n$m'", '"n;&|"', "%", "@", "ü"),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => parts.join(""));
  const property = fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
    const command = ["printf", "'%s\\0'", "-", ...words].join(" ");
    const read = shellCommands(command);
    if (read.kind === "unknown") return;
    const { stdout } = Bun.spawnSync(["sh", "-c", command]);
    expect(read.commands[0].words.slice(2)).toEqual(stdout.toString().split("\0").slice(0, -1));
  });
  await fc.assert(property, { numRuns: 150 });
});

test("[attack:process-allowed-interpreter] shellScopes offers prefixes only of commands that read and print", () => {
  const patternsOf = (command: string): unknown => shellScopes(command).map(({ patterns: told }) => told);

  expect(patternsOf("git status -s")).toEqual([["git status -s"], ["git status:*"]]);
  expect(patternsOf("git log && git diff a")).toEqual([["git log && git diff a"], ["git log:*", "git diff:*"]]);
  expect(patternsOf("ls -la | head")).toEqual([["ls -la | head"], ["ls:*", "head:*"]]);
  for (const command of [
    ..."ls;tee a|python x.py|sudo ls|git -C x status|npm|npm test|npx x|bun test|ls > a|find . -delete|a && $b".split(
      "|",
    ),
    ..."split --filter=x a|sqlite3 a|m4 a|gcc a.c|cmake .|sed p a|awk 1 a|vim -c x|python3 -c 1|docker run a".split(
      "|",
    ),
    ..."make test|cp a b|tee a|tar xf a|rsync a b|ssh a|curl -o a b|wget a|dd if=a|mv a b|ln a b|chmod 1 a".split(
      "|",
    ),
    ..."cargo build|go test|git add .|git commit|git push|less a|man ls|touch a|mkdir a|nohup ls|time ls|env".split(
      "|",
    ),
    ..."xargs|tee|rm a|git fetch|git config a b|uniq a b|git branch new|sort -o a|yes|kill 1|cd x".split("|"),
  ])
    expect([command, patternsOf(command)]).toEqual([command, [[command]]]);
});

test("shellScopes offers only scopes that allow the command itself", () => {
  for (const [command] of [...granted, ...asked.map((one) => [one] as const)])
    for (const { patterns: told } of shellScopes(command))
      expect([command, grantedShell(command, told)]).not.toEqual([command, []]);
});

test("shellPreview shows the folder and each program on its own line", () => {
  expect(shellPreview("git add . && git commit -m 'a; b' | head", "/work")).toBe(
    "In /work:\ngit add .\n&& git commit -m 'a; b'\n| head",
  );
  expect(shellPreview("ls", "/work")).toBe("In /work:\nls");
  expect(shellPreview("ls $x\nrm y", "/work")).toBe(
    'In /work:\nls $x\nrm y\n(The host cannot tell its parts apart: it has "$", for which something else is put in)',
  );
  expect(shellPreview("ls \u001B[2J\u202E\u{E0041}\u200B", "/a\u202E")).toStartWith(
    "In /a\\u202e:\nls \\u001b[2J\\u202e\\udb40\\udc41\\u200b\n",
  );
});

test.each(commandQuirks)(
  "[attack:process-allowed-command-more] grantedShell refuses $command below $begin:*",
  (quirk) => {
    expect(grantedShell(quirk.command, [`${quirk.begin}:*`, `${quirk.begin.split(" ")[0]}:*`])).toEqual([]);
  },
);
