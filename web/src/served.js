import "../style/served.css";
