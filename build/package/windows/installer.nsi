; The Windows installer: for the current user, without administrator rights.
;
;   makensis -DRELEASE=0.1.0 -DEXE=… -DWEBVIEW2=… -DICON=… -DLICENSE=… -DSIGN=… -DOUT=… installer.nsi
;
; Silent: VoxPilot-0.1.0-setup.exe /S [/AUTOSTART] [/D=folder]
; It waits for a running VoxPilot to quit, and exits with 2 if that takes too long.
Unicode true
Target amd64-unicode
ManifestDPIAware true
ManifestSupportedOS Win10
RequestExecutionLevel user
SetCompressor /SOLID lzma

!define ID "io.github.voxpilot.VoxPilot"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
!define PATHS "Software\Microsoft\Windows\CurrentVersion\App Paths\voxpilot.exe"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define WEBVIEW "{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

Name "VoxPilot"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\VoxPilot"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
BrandingText "VoxPilot ${RELEASE}"
VIProductVersion "${RELEASE}.0"
VIFileVersion "${RELEASE}.0"
VIAddVersionKey "ProductName" "VoxPilot"
VIAddVersionKey "ProductVersion" "${RELEASE}"
VIAddVersionKey "FileVersion" "${RELEASE}"
VIAddVersionKey "FileDescription" "VoxPilot Setup"
VIAddVersionKey "CompanyName" "VoxPilot authors"
VIAddVersionKey "LegalCopyright" "VoxPilot authors, MIT license"
!finalize '"${SIGN}" "%1"'
!uninstfinalize '"${SIGN}" "%1"'

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\voxpilot.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENSE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString Running ${LANG_ENGLISH} "VoxPilot is running. Quit it from its icon near the clock, then choose Retry."
LangString Running ${LANG_GERMAN} "VoxPilot läuft. Beende es über das Symbol neben der Uhr und wähle dann „Wiederholen“."
LangString Running ${LANG_SIMPCHINESE} "VoxPilot 正在运行。请通过时钟旁的图标退出它，然后选择“重试”。"
LangString Explorer ${LANG_ENGLISH} "Open folder with VoxPilot"
LangString Explorer ${LANG_GERMAN} "Ordner mit VoxPilot öffnen"
LangString Explorer ${LANG_SIMPCHINESE} "用 VoxPilot 打开文件夹"
LangString InExplorer ${LANG_ENGLISH} "Add to the folder context menu"
LangString InExplorer ${LANG_GERMAN} "Ins Kontextmenü von Ordnern aufnehmen"
LangString InExplorer ${LANG_SIMPCHINESE} "添加到文件夹右键菜单"
LangString AtStart ${LANG_ENGLISH} "Start when I sign in"
LangString AtStart ${LANG_GERMAN} "Beim Anmelden starten"
LangString AtStart ${LANG_SIMPCHINESE} "登录系统时启动"
LangString NoWebView ${LANG_ENGLISH} "Couldn't install Microsoft Edge WebView2, which VoxPilot requires. Install it from Microsoft, then start VoxPilot."
LangString NoWebView ${LANG_GERMAN} "Microsoft Edge WebView2, das VoxPilot benötigt, konnte nicht installiert werden. Installiere es von Microsoft und starte dann VoxPilot."
LangString NoWebView ${LANG_SIMPCHINESE} "无法安装 VoxPilot 所需的 Microsoft Edge WebView2。请从 Microsoft 网站安装它，然后启动 VoxPilot。"
LangString Forget ${LANG_ENGLISH} "Also delete your chats, settings and log? They're stored in $LOCALAPPDATA\VoxPilot. Choose No to keep them."
LangString Forget ${LANG_GERMAN} "Auch deine Chats, Einstellungen und das Log löschen? Sie liegen in $LOCALAPPDATA\VoxPilot. Wähle „Nein“, um sie zu behalten."
LangString Forget ${LANG_SIMPCHINESE} "是否同时删除你的对话、设置和日志？它们保存在 $LOCALAPPDATA\VoxPilot 中。选择“否”可保留它们。"

; The file of a running program can't be written. /S waits up to two minutes, the
; longest time that VoxPilot may take to quit.
!macro WaitForTheEnd un
Function ${un}WaitForTheEnd
  StrCpy $1 0
  ${Do}
    ${IfNot} ${FileExists} "$INSTDIR\voxpilot.exe"
      ${ExitDo}
    ${EndIf}
    ClearErrors
    FileOpen $0 "$INSTDIR\voxpilot.exe" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    ${If} ${Silent}
      IntOp $1 $1 + 1
      ${If} $1 > 240
        SetErrorLevel 2
        Quit
      ${EndIf}
      Sleep 500
    ${Else}
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" IDRETRY +2
      Quit
    ${EndIf}
  ${Loop}
FunctionEnd
!macroend
!insertmacro WaitForTheEnd ""
!insertmacro WaitForTheEnd "un."

Section "VoxPilot"
  SectionIn RO
  SetRegView 64
  Call WaitForTheEnd
  SetOutPath "$INSTDIR"
  File "/oname=voxpilot.exe" "${EXE}"
  File "/oname=LICENSE.txt" "${LICENSE}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\VoxPilot.lnk" "$INSTDIR\voxpilot.exe"

  WriteRegStr HKCU "Software\Classes\voxpilot" "" "URL:VoxPilot"
  WriteRegStr HKCU "Software\Classes\voxpilot" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\voxpilot\DefaultIcon" "" "$INSTDIR\voxpilot.exe,0"
  WriteRegStr HKCU "Software\Classes\voxpilot\shell\open\command" "" '"$INSTDIR\voxpilot.exe" "%1"'
  WriteRegStr HKCU "${PATHS}" "" "$INSTDIR\voxpilot.exe"

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "VoxPilot"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${RELEASE}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\voxpilot.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "VoxPilot authors"
  WriteRegStr HKCU "${UNINSTALL}" "URLInfoAbout" "https://github.com/voxpilot/voxpilot"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0

  ; The runtime is part of Windows 11, and of Windows 10 with Edge. If it is missing,
  ; Microsoft's bootstrapper downloads and installs it.
  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\${WEBVIEW}" "pv"
  ${If} $0 == ""
  ${OrIf} $0 == "0.0.0.0"
    ReadRegStr $0 HKCU "Software\Microsoft\EdgeUpdate\Clients\${WEBVIEW}" "pv"
  ${EndIf}
  ${If} $0 == ""
  ${OrIf} $0 == "0.0.0.0"
    InitPluginsDir
    File "/oname=$PLUGINSDIR\webview2.exe" "${WEBVIEW2}"
    ClearErrors
    ExecWait '"$PLUGINSDIR\webview2.exe" /silent /install' $1
    ${If} ${Errors}
    ${OrIf} $1 <> 0
      DetailPrint "WebView2: $1"
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(NoWebView)" /SD IDOK
    ${EndIf}
  ${EndIf}
SectionEnd

; The "\." after the folder: without it, the backslash of "C:\" would escape the
; closing quote.
Section "$(InExplorer)" IN_EXPLORER
  WriteRegStr HKCU "Software\Classes\Directory\shell\VoxPilot" "" "$(Explorer)"
  WriteRegStr HKCU "Software\Classes\Directory\shell\VoxPilot" "Icon" "$INSTDIR\voxpilot.exe"
  WriteRegStr HKCU "Software\Classes\Directory\shell\VoxPilot\command" "" '"$INSTDIR\voxpilot.exe" "%V\."'
  WriteRegStr HKCU "Software\Classes\Directory\Background\shell\VoxPilot" "" "$(Explorer)"
  WriteRegStr HKCU "Software\Classes\Directory\Background\shell\VoxPilot" "Icon" "$INSTDIR\voxpilot.exe"
  WriteRegStr HKCU "Software\Classes\Directory\Background\shell\VoxPilot\command" "" '"$INSTDIR\voxpilot.exe" "%V\."'
SectionEnd

; The value that Settings > Desktop writes. An installation over an older one doesn't
; change it.
Section /o "$(AtStart)" AUTOSTART
  WriteRegStr HKCU "${RUN}" "VoxPilot" '"$INSTDIR\voxpilot.exe" --hidden'
SectionEnd

Function .onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/AUTOSTART" $1
  ${IfNot} ${Errors}
    SectionSetFlags ${AUTOSTART} ${SF_SELECTED}
  ${EndIf}
  ; An update doesn't add the menu if the user installed without it or removed it.
  ReadRegStr $0 HKCU "${UNINSTALL}" "InstallLocation"
  ReadRegStr $1 HKCU "Software\Classes\Directory\shell\VoxPilot" ""
  ${If} $0 != ""
  ${AndIf} $1 == ""
    SectionSetFlags ${IN_EXPLORER} 0
  ${EndIf}
FunctionEnd

Section "un.VoxPilot"
  SetRegView 64
  Call un.WaitForTheEnd
  Delete "$INSTDIR\voxpilot.exe"
  Delete "$INSTDIR\voxpilot.exe.old"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\VoxPilot.lnk"
  DeleteRegKey HKCU "Software\Classes\voxpilot"
  DeleteRegKey HKCU "Software\Classes\Directory\shell\VoxPilot"
  DeleteRegKey HKCU "Software\Classes\Directory\Background\shell\VoxPilot"
  DeleteRegKey HKCU "${PATHS}"
  ; Written by VoxPilot: its start at login and its notifications.
  DeleteRegValue HKCU "${RUN}" "VoxPilot"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "VoxPilot"
  DeleteRegKey HKCU "Software\Classes\AppUserModelId\${ID}"
  DeleteRegKey HKCU "${UNINSTALL}"
  ; The folder with the chats belongs to the user: /S keeps it.
  MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(Forget)" /SD IDNO IDNO kept
    RMDir /r "$LOCALAPPDATA\VoxPilot"
    RMDir /r "$APPDATA\voxpilot.exe"
  kept:
SectionEnd
