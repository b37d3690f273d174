@echo off
rem Prints the greeting.
cd /d "%~dp0"
type greeting.txt
if errorlevel 1 exit /b 1
echo (printed by hello.cmd)
