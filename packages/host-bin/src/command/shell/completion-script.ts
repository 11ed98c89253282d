import type { Call } from "../registry/command.ts";

const bash = String.raw`# bash completion of incipit: source <(incipit completions bash)
_incipit() {
  local words=() word value text room i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${"$"}{COMP_WORDS[i]}
    # Bash takes ":" and "=" for words of their own.
    if [ "${"$"}{#words[@]}" -gt 0 ] && [[ $word == [:=] || ${"$"}{COMP_WORDS[i - 1]} == [:=] ]]; then
      words[${"$"}{#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  local current=${"$"}{COMP_WORDS[COMP_CWORD]}
  [[ $current == [:=] ]] && current=
  local whole=${"$"}{words[${"$"}{#words[@]} - 1]}
  local before=${"$"}{whole%"$current"}
  COMPREPLY=()
  while IFS=$'\t' read -r value text; do
    case $value in
      :files | :folders)
        local kind=-f
        [ "$value" = :folders ] && kind=-d
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$kind" -- "$current")
        return
        ;;
    esac
    value=${"$"}{value#"$before"}
    # 63: what is possible is only listed, and nothing is typed.
    if [ "$COMP_TYPE" = 63 ] && [ -n "$text" ]; then
      room=$((${"$"}{COLUMNS:-80} - ${"$"}{#value} - 5))
      [ "${"$"}{#text}" -gt "$room" ] && [ "$room" -gt 3 ] && text=${"$"}{text:0:room - 3}...
      value="$value  ($text)"
    fi
    COMPREPLY+=("$value")
  done < <("${"$"}{COMP_WORDS[0]/#\~/$HOME}" complete -- "${"$"}{words[@]}" 2>/dev/null </dev/null)
  [[ ${"$"}{COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -F _incipit incipit
`;

const zsh = String.raw`#compdef incipit
# zsh completion of incipit: source <(incipit completions zsh), or as the file _incipit in a folder of $fpath
_incipit() {
  local -a found typed
  local value text
  typed=("${"$"}{(@Q)words[2,CURRENT]}")
  while IFS=$'\t' read -r value text; do
    case $value in
      :files) _files; return ;;
      :folders) _files -/; return ;;
    esac
    found+=("${"$"}{value//:/\\:}${"$"}{text:+:$text}")
  done < <("${"$"}{words[1]/#\~/$HOME}" complete -- "${"$"}{typed[@]}" 2>/dev/null </dev/null)
  (( $#found )) && _describe -V incipit found
}
if [ "$funcstack[1]" = _incipit ]; then
  _incipit "$@"
else
  compdef _incipit incipit
fi
`;

const fish = String.raw`# fish completion of incipit: incipit completions fish | source
function __incipit_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l command (string replace -r '^~' $HOME -- $typed[1])
    for line in ($command complete -- $typed[2..-1] "$current" 2>/dev/null </dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c incipit -f -a '(__incipit_complete)'
`;

const powershell = String.raw`# PowerShell completion of incipit: incipit completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName incipit -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    # An empty word does not reach a program everywhere.
    $mark = if ($wordToComplete -eq '') { '--next' } else { '--' }
    & incipit complete $mark @typed 2>$null | ForEach-Object {
        $value, $text = $_ -split "BACKTICKt", 2
        if ($value -in ':files', ':folders') { return }
        if (-not $text) { $text = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
    }
}
`;

// A backtick would end the template literal above.
const scripts = { bash, zsh, fish, powershell: powershell.replace("BACKTICK", "`") } as const;

export async function printCompletions({
  words: [shell],
  output,
}: Pick<Call<["bash" | "zsh" | "fish" | "powershell"]>, "words" | "output">): Promise<void> {
  output.out(scripts[shell]);
}
