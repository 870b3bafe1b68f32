# Glass TTY's shell integration for PowerShell 5.1 and later, run by -NoExit -Command after the profiles.
# The marks are listed in README.md. PSReadLine edits several lines in one prompt, so there are no F and G.

$Global:__GlassNonce = $env:GLASS_TTY_NONCE
$Global:__GlassDue = $false      # a command has started and its end was not reported yet
$Global:__GlassPrompted = $false # there was a prompt before
if ($env:GLASS_TTY_EXPORTS) { Invoke-Expression $env:GLASS_TTY_EXPORTS }
Remove-Item Env:GLASS_TTY_NONCE, Env:GLASS_TTY_EXPORTS -ErrorAction Ignore

function Global:__GlassMark([string]$Fields) {
  return "$([char]27)]633;$Fields;$Global:__GlassNonce$([char]7)"
}

function Global:__GlassEscape([string]$Text) {
  return [regex]::Replace($Text, '[\\;\x00-\x20\x7f]', {
      param($Match)
      if ($Match.Value -eq '\') { return '\\' }
      return '\x{0:x2}' -f [int][char]$Match.Value
    })
}

$Global:__GlassPrompt = $function:prompt
function Global:prompt {
  $Ok = $?
  $Native = $Global:LASTEXITCODE
  $Code = ''
  if ($Global:__GlassDue) {
    $Code = if ($Ok) { 0 } elseif ($Native -is [int] -and $Native -ne 0) { $Native } else { 1 }
  }
  $Start = if ($Global:__GlassPrompted) { __GlassMark "D;$Code" } else { '' }
  $Global:__GlassDue = $false
  $Global:__GlassPrompted = $true
  $Start += (__GlassMark "P;Cwd=$(__GlassEscape $PWD.ProviderPath)") + (__GlassMark 'A')
  # The user's own prompt may look at $?.
  if (-not $Ok) { Write-Error 'the last command failed' -ErrorAction Ignore }
  $Text = & $Global:__GlassPrompt
  $Global:LASTEXITCODE = $Native
  return $Start + ($Text -join '') + (__GlassMark 'B')
}

if (Test-Path Function:PSConsoleHostReadLine) {
  $Global:__GlassReadLine = $function:PSConsoleHostReadLine
  function Global:PSConsoleHostReadLine {
    $Line = & $Global:__GlassReadLine
    if ("$Line".Trim()) {
      $Global:__GlassDue = $true
      [Console]::Write((__GlassMark "E;$(__GlassEscape $Line)") + (__GlassMark 'C'))
    }
    return $Line
  }

  # An agent's command lines start with a space and stay out of the person's history.
  $Global:__GlassKeep = (Get-PSReadLineOption).AddToHistoryHandler
  Set-PSReadLineOption -AddToHistoryHandler {
    param([string]$Line)
    if ($Line.StartsWith(' ')) { return $false }
    if ($Global:__GlassKeep) { return $Global:__GlassKeep.Invoke($Line) }
    return $true
  }
}

[Console]::Write((__GlassMark "P;Shell=$(__GlassEscape "pwsh $($PSVersionTable.PSVersion)")"))
