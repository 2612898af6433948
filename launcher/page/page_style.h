// SPDX-License-Identifier: Apache-2.0
// The style sheet of pages. A constant.
#pragma once

#include <string_view>

namespace understudy::launcher {

inline constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --text: #1f2328; --soft: #5c6470; --line: #dcdfe3;
  --good: #1a7f4b; --bad: #c0392b; --warn: #9a6700; --accent: #2f5d9b;
  --h0: #bcd3f0; --h1: #c9e6cf; --h2: #f3dcb2; --h3: #e3cdee; --h4: #f1c7c4; --h5: #c3e5e6;
  --h6: #e4e3a9; --h7: #d7cfc6;
  --step: #2f5d9b; --gate: #b9bfc8; --compile: #d08a2e; --load: #3d8f63; }
@media (prefers-color-scheme: dark) { :root {
  --page: #14171b; --card: #1d2127; --text: #e4e7eb; --soft: #9aa3ae; --line: #343a43;
  --good: #4cc38a; --bad: #ff7b6b; --warn: #e0b040; --accent: #8ab4f0;
  --h0: #2c4a70; --h1: #2c5a3b; --h2: #66512a; --h3: #543a63; --h4: #6b3733; --h5: #265859;
  --h6: #57562a; --h7: #4b443d;
  --step: #7aa7e8; --gate: #59616c; --compile: #d99a45; --load: #58b585; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 56px; }
h1 { font-size: 22px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 12px; }
h3 { font-size: 14px; margin: 16px 0 6px; color: var(--soft); font-weight: 600; }
p { margin: 6px 0; }
section, header { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 18px 20px; margin: 0 0 14px; }
nav { position: sticky; top: 0; z-index: 1; display: flex; gap: 4px 16px; overflow-x: auto;
  background: var(--page); padding: 8px 2px; margin: 0 0 10px; font-size: 13.5px; }
nav a { color: var(--accent); text-decoration: none; white-space: nowrap; }
nav a:hover, nav a:focus { text-decoration: underline; }
section { scroll-margin-top: 46px; }
header { border-left: 6px solid var(--good); }
header.failed { border-left-color: var(--bad); }
.verdict { font-weight: 700; color: var(--good); } .failed .verdict { color: var(--bad); }
.soft { color: var(--soft); } .bad { color: var(--bad); } .good { color: var(--good); }
.warn { color: var(--warn); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr));
  gap: 10px 18px; margin: 14px 0 0; }
.facts div { min-width: 0; }
.facts b { display: block; font-size: 12px; font-weight: 600; color: var(--soft); }
.facts span { overflow-wrap: anywhere; }
.facts.two { grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr));
  margin: 0 0 14px; }
.rungs { display: grid; gap: 12px; }
.rung { border: 1px solid var(--line); border-radius: 6px; padding: 10px 14px; min-width: 0; }
.rung.failed { border-color: var(--bad); }
.rung-head { display: flex; gap: 12px; align-items: baseline; justify-content: space-between; }
.rung-bar { display: flex; align-items: center; gap: 8px; margin: 6px 0; font-size: 13px; }
.rung-bar i { height: 8px; border-radius: 4px; flex: none; max-width: calc(100% - 64px); }
.rung-bar span { white-space: nowrap; font-variant-numeric: tabular-nums; }
.memory-bar { display: flex; height: 12px; margin: 4px 0 12px; border: 1px solid var(--line); }
.memory-bar i { height: 12px; flex: none; }
.key { display: inline-block; width: 10px; height: 10px; margin: 0 6px 0 12px; }
.fill-arguments { background: var(--step); } .fill-outputs { background: var(--load); }
.fill-temporaries { background: var(--compile); } .fill-code { background: var(--gate); }
.fill-good { background: var(--good); } .fill-bad { background: var(--bad); }
.message { border-left: 3px solid var(--bad); padding: 2px 0 2px 12px; margin: 12px 0;
  white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace;
  font-size: 13px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { text-align: left; color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--line); }
th, td { padding: 4px 14px 4px 0; vertical-align: top; }
td { border-bottom: 1px solid var(--line); } tr:last-child td { border-bottom: 0; }
tr.bad td { color: var(--bad); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, .mono { font-family: ui-monospace, monospace; font-size: 13px; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; display: block; }
svg text { fill: var(--text); font: 12px system-ui, sans-serif; }
svg text.soft { fill: var(--soft); } svg text.chip { font-size: 13px; font-weight: 600; }
.link { stroke: var(--soft); stroke-width: 2; } .wrap { stroke-dasharray: 3 3; }
.box { stroke: var(--line); stroke-width: 1; } .box.failed { stroke: var(--bad); stroke-width: 3; }
.box.absent { stroke: var(--soft); stroke-dasharray: 3 3; fill: none; }
.host0 { fill: var(--h0); } .host1 { fill: var(--h1); } .host2 { fill: var(--h2); }
.host3 { fill: var(--h3); } .host4 { fill: var(--h4); } .host5 { fill: var(--h5); }
.host6 { fill: var(--h6); } .host7 { fill: var(--h7); }
.bar-gate { fill: var(--gate); } .bar-compile { fill: var(--compile); }
.bar-load { fill: var(--load); } .bar-step { fill: var(--step); }
.axis { stroke: var(--line); stroke-width: 1; }
.keys { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-top: 8px; font-size: 13px; }
.keys svg { display: inline-block; vertical-align: -1px; margin-right: 5px; }
details summary { cursor: pointer; color: var(--accent); }
@media (max-width: 560px) {
  main { padding: 12px 8px 32px; } section, header { padding: 14px 12px; }
  th, td { padding-right: 8px; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); }
  svg.chart { width: 820px; max-width: none; } svg.slice { max-width: none; } }
@media (min-width: 900px) { nav { flex-wrap: wrap; } }
@media print { nav { display: none; } body { background: none; }
  section, header { break-inside: avoid; } }
)";

}  // namespace understudy::launcher
